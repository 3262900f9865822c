"""The rules, made from the engine's own data: what these pages say is what the engine plays."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bots.views.page import render_page
from engine.cards import CARDS, codes
from engine.game import OptionInfo, OptionValue
from engine.games import GAMES, PRESETS, option_table, ruleset
from engine.words import Combination
from tournaments.replay.phrases import YAKU_NAMES


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One option as a preset has it."""

    info: OptionInfo
    value: str
    meaning: str
    differs: bool


@dataclass(frozen=True, slots=True)
class YakuLine:
    """A combination with its cards, or the condition in words where no certain cards make it."""

    name: str
    ja: str
    cards: list[str]
    text: str
    worth: int


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
    values, game = ruleset(preset).options, GAMES[found.game]
    context = {
        "preset": found,
        "game": game,
        "options": [_line(info, getattr(values, info.id)) for info in option_table(found.game)],
        "yaku": [_yaku(each) for each in game.words.combinations],
        "unit": _(game.words.unit),
        "penalty": getattr(values, "yaku_penalty", 0),
        "target": getattr(values, "target", 0),
        "rounds": values.rounds,
        "worth": _worth(game.words.values),
        "cards": len(game.words.values),
        "all_points": sum(game.words.values.values()),
    }
    return render_page(request, "pages/rules_preset.html", context)


def _line(info: OptionInfo, value: OptionValue) -> OptionLine:
    position = info.allowed.index(value) if value in info.allowed else -1
    meaning = info.meanings[position] if 0 <= position < len(info.meanings) else str(value)
    return OptionLine(info, str(value), _(meaning), value != info.default)


def _yaku(found: Combination) -> YakuLine:
    """Sakura's yaku are known by their syllable as well as by their name."""
    syllable = f"{found.id} · " if found.id in YAKU_NAMES else ""
    text = "" if found.cards or not found.text else _(found.text)
    return YakuLine(f"{syllable}{_(found.name)}", found.ja, codes(found.cards), text, found.worth)


def _worth(values: Mapping[str, int]) -> list[tuple[int, list[str]]]:
    """Card values, highest first, with the cards that have them; worthless cards are left out."""
    found: dict[int, list[str]] = {}
    for code, value in values.items():
        found.setdefault(value, []).append(code)
    return [(value, found[value]) for value in sorted(found, reverse=True) if value]
