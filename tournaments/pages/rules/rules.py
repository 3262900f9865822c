"""Pages of the rules, made from the engine's own data: what these pages say is what the engine plays."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.cards import BACK_OF, backs_of
from bots.templatetags.hanami import sprite_of
from core.replay.book import yaku_sign
from core.replay.phrases import YAKU_NAMES
from core.rulebook.model import example_of
from engine.cards import codes
from engine.game import OptionInfo, Options, OptionValue, Ruleset
from engine.games import GAMES, PRESETS, option_table, ruleset
from engine.match import Match
from engine.words import Clause, Combination, Words
from tournaments.lifecycle.house_rules import meaning_of
from tournaments.pages.rules.counting import counted_in
from tournaments.pages.rules.footnotes import Footnote, Piece, footnotes_of, pieces_of
from tournaments.pages.rules.portraits import filled, portrait_of
from tournaments.pages.rules.stills import ClauseStill, still_of
from web.page import render_page

EXAMPLES: Final = 3
"""Combinations that stand above the text."""
EXAMPLE_CARDS: Final = (3, 4)


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One option as a preset has it. others: the other choices, in words.

    plays: whether an example of it can be played. clause: the paragraph on it, where there is one: (id, title). source:
    where it is from.
    """

    info: OptionInfo
    name: str
    value: str
    meaning: str
    differs: bool
    others: tuple[str, ...]
    plays: bool = False
    clause: tuple[str, str] | None = None
    source: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class YakuLine:
    """A combination with its cards, or the condition in words and an example where no certain cards make it.

    worth: 0 where this ruleset does not count it; counted: in words, with the game's unit.
    """

    name: str
    ja: str
    cards: list[str]
    text: str
    example: list[str]
    worth: int
    counted: str


@dataclass(frozen=True, slots=True)
class ClauseLine:
    """A paragraph on how the game goes. still: of an example that can be played, None where there is none.

    cards: those that it is about and the still does not show.
    """

    id: str
    title: str
    ja: str
    text: str
    cards: list[str]
    still: ClauseStill | None


@dataclass(frozen=True, slots=True)
class ChartLine:
    """Cards that a table is dealt: in each hand, on the field, on the discard pile, left in the pile."""

    seats: int
    hand: int
    field: int
    discard: int
    pile: int


@require_safe
def rules_preset(request: HttpRequest, preset: str) -> HttpResponse:
    """Show one preset: how it is played, what is dealt, values, yaku, every option with its meaning and its source."""
    found = PRESETS.get(preset)
    if found is None:
        raise Http404(preset)
    values, words = ruleset(preset).options, GAMES[found.game].words
    chart, notes = deal_chart(preset), notes_of(preset)
    groups = yaku_groups(words, values)
    options = [
        replace(option_of(preset, info), source=tuple(pieces_of(info.source, notes)))
        for info in option_table(found.game)
    ]
    context = {
        "preset": found,
        "portrait": portrait_of(preset),
        "parts": list(parts_of(found.id)),
        "notes": notes.values(),
        "sprite": sprite_of(request),
        "back": BACK_OF[backs_of(request)],
        "chart": chart,
        "has_field": any(line.field for line in chart),
        "has_discard": any(line.discard for line in chart),
        "own": [line for line in options if line.differs],
        "others": [line for line in options if not line.differs],
        "groups": groups,
        "examples": examples_of(groups),
        "faces": words.portrait.cards,
        "penalty": getattr(values, "yaku_penalty", 0),
        "target": getattr(values, "target", 0),
        "rounds": values.rounds,
        "worth": worth_of(words.values),
        "card_codes": [(code, words.values.get(code, 0)) for code in codes(GAMES[found.game].deck)],
        "yaku_codes": [(each.id, yaku_name(each)) for each in words.combinations],
        "cards": len(words.values),
        "all_points": sum(words.values.values()),
    }
    return render_page(request, "pages/rules_preset.html", context)


# Counted from a deal that the engine really makes; a preset does not change while the process lives.
@cache
def deal_chart(preset: str) -> tuple[ChartLine, ...]:
    """Return what every size of table is dealt, as the engine deals it."""
    low, high = GAMES[PRESETS[preset].game].seat_range
    return tuple(chart_line(ruleset(preset), seats) for seats in range(low, high + 1))


def chart_line(rules: Ruleset, seats: int) -> ChartLine:
    """Return what a table of `seats` seats is dealt."""
    # Any seed will do: how many cards go where does not depend on the order of the deck.
    log = Match(rules, seats, bytes(16)).deals[0]
    dealt = Counter(step.target[0] for step in log.dealt.steps if step.source == "p")
    left = len(log.orders[-1]) - dealt["h"] - dealt["f"] - dealt["d"]
    return ChartLine(seats, dealt["h"] // seats, dealt["f"], dealt["d"], left)


def option_line(info: OptionInfo, value: OptionValue) -> OptionLine:
    """Return one option with the value that it has, in words."""
    position = info.allowed.index(value) if value in info.allowed else -1
    rest = [_(each) for number, each in enumerate(info.meanings) if number != position]
    others = tuple(rest) if info.kind == "choice" else ()
    return OptionLine(info, _(info.meaning), str(value), meaning_of(info, value), value != info.default, others)


def option_of(preset: str, info: OptionInfo) -> OptionLine:
    """Return one option of a preset, with its example and its paragraph."""
    line = option_line(info, getattr(ruleset(preset).options, info.id))
    about = next((each for each in clauses_of(preset) if info.id in each.only), None)
    clause = (about.id, _(about.title)) if about else None
    return replace(line, plays=example_of(preset, info.id) is not None, clause=clause)


def parts_of(preset: str) -> Iterator[tuple[str, list[ClauseLine]]]:
    """Return the headings under which a preset is explained, each with its paragraphs; none without any."""
    options = ruleset(preset).options
    for part in GAMES[PRESETS[preset].game].words.parts:
        lines = [clause_line(preset, each) for each in part.clauses if each.applies(options)]
        if lines:
            yield _(part.title), lines


def clauses_of(preset: str) -> list[Clause]:
    """Return the paragraphs that hold under a preset."""
    options = ruleset(preset).options
    return [each for each in GAMES[PRESETS[preset].game].words.clauses if each.applies(options)]


def notes_of(preset: str) -> dict[str, Footnote]:
    """Return the sources of the page of a preset: of its paragraphs, then of its options."""
    options = option_table(PRESETS[preset].game)
    return footnotes_of([*(each.source for each in clauses_of(preset)), *(info.source for info in options)])


def clause_line(preset: str, found: Clause) -> ClauseLine:
    """Return the paragraph with the figures of the preset. Their names stand in the text: `%(rounds)s`."""
    text, still = clause_text(found, ruleset(preset).options), still_of(preset, found.id, get_language() or "en")
    cards = [code for code in codes(found.cards) if still is None or code not in still.codes]
    return ClauseLine(found.id, _(found.title), found.ja, text, cards, still)


def clause_text(found: Clause, options: Options) -> str:
    """Return what a paragraph says under these options."""
    return filled(found.text, options)


def yaku_groups(words: Words, options: Options) -> list[tuple[str, list[YakuLine]]]:
    """Return the combinations under their headings, both in the game's own order."""
    found: dict[str, list[YakuLine]] = {}
    for each in words.combinations:
        found.setdefault(each.group, []).append(_yaku(each, options, words.unit))
    return [(_(group) if group else "", lines) for group, lines in found.items()]


def examples_of(groups: Sequence[tuple[str, list[YakuLine]]]) -> list[YakuLine]:
    """Return the first combinations of three or four certain cards: what a reader sees before the text."""
    lines = [line for _group, each in groups for line in each]
    return [line for line in lines if len(line.cards) in EXAMPLE_CARDS][:EXAMPLES]


def _yaku(found: Combination, options: Options, unit: str) -> YakuLine:
    text = "" if found.cards or not found.text else _(found.text)
    worth = found.worth_in(options)
    cards, example = codes(found.cards), codes(found.example)
    return YakuLine(yaku_name(found), found.ja, cards, text, example, worth, counted_in(unit, worth))


def yaku_name(found: Combination) -> str:
    """Return the name; Sakura's yaku are known by their syllable as well as by their name."""
    syllable = f"{yaku_sign(found.id, get_language() or 'en')} · " if found.id in YAKU_NAMES else ""
    return f"{syllable}{_(found.name)}"


def worth_of(values: Mapping[str, int]) -> list[tuple[int, list[str]]]:
    """Return card values, highest first, with the cards that have them; worthless cards are left out."""
    found: dict[int, list[str]] = {}
    for code, value in values.items():
        found.setdefault(value, []).append(code)
    return [(value, found[value]) for value in sorted(found, reverse=True) if value]
