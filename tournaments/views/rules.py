"""The rules, made from the engine's own data: what these pages say is what the engine plays."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bots.views.page import render_page
from engine.cards import CARDS, codes
from engine.game import OptionInfo, OptionValue
from engine.games import GAMES, PRESETS, option_table, ruleset
from engine.games.sakura.yaku import YAKU


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One option as a preset has it."""

    info: OptionInfo
    value: str
    meaning: str
    differs: bool


@dataclass(frozen=True, slots=True)
class YakuLine:
    """A yaku with its cards."""

    id: str
    name: str
    cards: list[str]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Every game and its presets; the 48 cards."""
    months = [[card.code for card in CARDS[month * 4 : month * 4 + 4]] for month in range(12)]
    games = [(game, [preset for preset in PRESETS.values() if preset.game == game.id]) for game in GAMES.values()]
    return render_page(request, "pages/rules.html", {"games": games, "months": months})


@require_safe
def rules_preset(request: HttpRequest, preset: str) -> HttpResponse:
    """One preset: values, yaku, every option with its meaning and where it comes from."""
    found = PRESETS.get(preset)
    if found is None:
        raise Http404(preset)
    values = ruleset(preset).options
    context = {
        "preset": found,
        "game": GAMES[found.game],
        "options": [_line(info, getattr(values, info.id)) for info in option_table(found.game)],
        "yaku": [YakuLine(each.id, _(each.name), codes(each.cards)) for each in YAKU],
        "penalty": getattr(values, "yaku_penalty", 0),
        "rounds": values.rounds,
        "worth": _worth(),
    }
    return render_page(request, "pages/rules_preset.html", context)


def _line(info: OptionInfo, value: OptionValue) -> OptionLine:
    position = info.allowed.index(value) if value in info.allowed else -1
    meaning = info.meanings[position] if 0 <= position < len(info.meanings) else str(value)
    return OptionLine(info, str(value), _(meaning), value != info.default)


def _worth() -> list[tuple[int, list[str]]]:
    """Sakura values, highest first, with the cards that have them; worthless cards are left out."""
    found: dict[int, list[str]] = {}
    for card in CARDS:
        found.setdefault(card.sakura, []).append(card.code)
    return [(value, found[value]) for value in sorted(found, reverse=True) if value]
