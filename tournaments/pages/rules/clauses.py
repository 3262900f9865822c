"""Page of one rule at a table: a game of the engine in which it shows, ready to be played move by move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from accounts.phrasing import listed
from core.replay.document import read
from core.replay.reducer import Place
from core.replay.words import number_text, side_name
from core.rulebook.model import Example, example_of, examples
from core.rulebook.shown import NAMES, document_of, drawings, packets
from engine.game import OptionInfo
from engine.games import PRESETS, option_table, ruleset
from tournaments.pages.matches.matches import HOUR, replay_context
from tournaments.pages.rules.footnotes import Piece, footnotes_of, pieces_of
from tournaments.pages.rules.rules import clause_text, clauses_of, option_of
from tournaments.pages.rules.stills import sentences
from web.page import render_page

ZONES: Final = {"f": gettext_lazy("the field"), "d": gettext_lazy("face up")}
DEALT: Final = frozenset({"deal_pattern"})
"""Topics whose page tells in which packets the cards were dealt."""
DRAWN: Final = frozenset({"first_dealer_tie"})
"""Topics whose page shows the cards drawn for the first dealer."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A clause or option in words. source: where it is from; anchor: its place on the page of the preset."""

    title: str
    ja: str
    text: str
    source: tuple[Piece, ...]
    anchor: str


def rule_of(preset: str, topic: str) -> Rule | None:
    """Return the clause or option of that id; None where the preset has none."""
    for clause in clauses_of(preset):
        if clause.id == topic:
            text = clause_text(clause, ruleset(preset).options)
            return Rule(_(clause.title), clause.ja, text, _cited(clause.source), topic)
    for info in option_table(PRESETS[preset].game):
        if info.id == topic:
            return _option_rule(preset, info)
    return None


def _option_rule(preset: str, info: OptionInfo) -> Rule:
    line = option_of(preset, info)
    text = _("%(rule)s: %(value)s.") % {"rule": line.name, "value": line.meaning}
    return Rule(line.name, "", text, _cited(info.source), info.id)


def _cited(citation: str) -> tuple[Piece, ...]:
    return tuple(pieces_of(citation, footnotes_of([citation])))


def example_or_404(preset: str, topic: str) -> Example:
    """Return the example of a rule, or 404 where there is no such rule or no example of it."""
    found = example_of(preset, topic)
    if found is None:
        raise Http404(f"{preset} {topic}")
    return found


@require_safe
def clause(request: HttpRequest, preset: str, topic: str) -> HttpResponse:
    """Show the page of one rule. Without `?m=` it shows the position before; the script then plays the moment."""
    example = example_or_404(preset, topic)
    rule = rule_of(preset, topic)
    if rule is None:  # the file of examples is older than the rules
        raise Http404(topic)
    document: Any = document_of(example)
    context = {
        **replay_context(request, document, start=Place(example.deal, example.before)),
        "rule": rule,
        "preset": PRESETS[preset],
        "sentences": sentences(document, example),
        "verdict": verdict(document),
        "record_url": reverse("rules-record", args=[preset, topic]),
        # An address that names a moment shows it at once; nothing is played first.
        "until": "" if {"d", "m"} & set(request.GET) else f"{example.deal}.{example.move}",
        "packets": packets_in_words(example) if topic in DEALT else [],
        "drawings": drawings(example) if topic in DRAWN else [],
        "drawers": NAMES,
        **neighbours(preset, topic),
    }
    return render_page(request, "pages/rules_clause.html", context)


@require_safe
def clause_record(request: HttpRequest, preset: str, topic: str) -> HttpResponse:
    """Send the game of a rule's example as a document for the viewer. It changes with the engine alone."""
    document: Any = document_of(example_or_404(preset, topic))
    response = JsonResponse(document, json_dumps_params={"ensure_ascii": False, "separators": (",", ":")})
    # The same for everybody until the next version of the engine.
    patch_cache_control(response, public=True, max_age=HOUR)
    return response


def verdict(document: dict[str, Any]) -> str:
    """Return how the match ended, with the figures that decide it; "" if it goes on after the moment."""
    replay = read(document)
    if replay.end != "complete":
        return ""
    figures = replay.victories if replay.options.get("scoring") == "victories" else replay.score
    names = [side_name(replay, side) for side in range(replay.side_count)]
    scores = listed(f"{name} {number_text(figure)}" for name, figure in zip(names, figures, strict=True))
    winners = [name for name, rank in zip(names, replay.rank, strict=True) if rank == 1]
    text = ngettext(
        "The match is over: %(scores)s. %(who)s wins it.",
        "The match is over: %(scores)s. %(who)s win it together.",
        len(winners),
    )
    return text % {"scores": scores, "who": listed(winners)}


def packets_in_words(example: Example) -> list[str]:
    """Return what was dealt, packet by packet: "4 cards to Lani", "8 cards to the field"."""
    return [
        ngettext("%(n)d card to %(who)s", "%(n)d cards to %(who)s", packet.count)
        % {"n": packet.count, "who": _receiver(packet.target)}
        for packet in packets(example)
    ]


def _receiver(zone: str) -> str:
    return NAMES[int(zone[1:])] if zone[0] == "h" else str(ZONES[zone])


def neighbours(preset: str, topic: str) -> dict[str, Rule | None]:
    """Return the rules before and after this one, among those that can be played."""
    playable = list(examples()[preset])
    place = playable.index(topic)
    around = {"earlier": playable[place - 1 : place], "later": playable[place + 1 : place + 2]}
    return {name: rule_of(preset, ids[0]) if ids else None for name, ids in around.items()}
