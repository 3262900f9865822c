"""Portraits of the games: what somebody who does not know them asks first, and the list of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.cards import BACK_OF, backs_of, cards_of
from accounts.models import User
from bots.templatetags.hanami import sprite_of
from core.replay.words import PARAMETER
from engine.cards import CARDS, FLOWER_NAMES
from engine.game import Game, Options
from engine.games import GAMES, PRESETS, ruleset
from web.page import render_page
from web.presets import preset_title

LUCK: Final = 5
"""The end of the scale."""
ROUNDED_TO: Final = 5
"""Minutes: an estimate is no more exact than that."""


@dataclass(frozen=True, slots=True)
class PresetPortrait:
    """A preset at a glance. special: what sets it apart; minute: how it is played.

    seats: "2–7"; minutes: of a match among people; luck: which of the dots of the scale are full, none where nobody has
    measured it. ja: its Japanese name where the reader's language is another. differs: in how many rules from `base`,
    the name of the game's first preset. lesson: name of the lesson that teaches the game, "" for none.
    """

    id: str
    name: str
    ja: str
    special: str
    minute: str
    seats: str
    minutes: int
    luck: tuple[bool, ...]
    differs: int
    base: str
    lesson: str

    @property
    def lucky(self) -> int:
        """Return how many dots are full."""
        return sum(self.luck)


@dataclass(frozen=True, slots=True)
class GamePortrait:
    """A game with its presets. cards: that stand for it; first: the preset that the others are compared with."""

    title: str
    cards: Sequence[str]
    presets: tuple[PresetPortrait, ...]

    @property
    def first(self) -> PresetPortrait:
        return self.presets[0]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show every game and its presets; the 48 cards."""
    backs = [(value, name, BACK_OF[value]) for value, name in User.Backs.choices]
    context: dict[str, Any] = {
        "games": [game_portrait(game) for game in sorted(GAMES.values(), key=_place)],
        "months": months_of_cards(),
        "sprite": sprite_of(request),
        "looks": User.Cards.choices,
        "look": cards_of(request),
        "backs": backs,
        "back": backs_of(request),
    }
    return render_page(request, "pages/rules.html", context)


def _place(game: Game) -> tuple[bool, int]:
    """Return where a game stands on the page of all: what two cannot play after all that two can; of these the ones
    with most rulesets first, so that tiles side by side are about as high.
    """
    return game.seat_range[0] > 2, -len(game.presets)


def months_of_cards() -> list[tuple[int, list[str], str]]:
    """Return the twelve months: (number, codes of its four cards, its flower in Japanese)."""
    months = [[card.code for card in CARDS[month * 4 : month * 4 + 4]] for month in range(12)]
    return list(zip(range(1, 13), months, FLOWER_NAMES["ja"], strict=True))


def game_portrait(game: Game) -> GamePortrait:
    """Return a game and its presets."""
    title = _(game.words.title) if game.words.title else game.id
    presets = tuple(portrait_of(preset.id) for preset in game.presets)
    return GamePortrait(title, game.words.portrait.cards, presets)


def portrait_of(preset: str) -> PresetPortrait:
    """Return a known preset at a glance."""
    found, options = PRESETS[preset], ruleset(preset).options
    game = GAMES[found.game]
    portrait, special = game.words.portrait, game.words.portrait.special.get(preset, "")
    is_japanese = (get_language() or "").startswith("ja")
    low, high = game.seat_range
    return PresetPortrait(
        id=preset,
        name=preset_title(preset),
        ja="" if is_japanese else game.words.ja.get(preset, ""),
        special=_(special) if special else "",
        minute=filled(portrait.minute, options),
        seats=f"{low}–{high}" if low != high else f"{low}",
        minutes=_minutes(portrait.deal_minutes, options),
        luck=tuple(dot < portrait.luck for dot in range(LUCK)) if portrait.luck else (),
        differs=len(found.overrides),
        base=preset_title(game.presets[0].id),
        lesson=portrait.lesson,
    )


def filled(text: str, options: Options) -> str:
    """Return a message about a ruleset in the reader's language, with its figures. Their names stand in the text:
    `%(rounds)s`.
    """
    return PARAMETER.sub(lambda name: str(getattr(options, name[1])), _(text)) if text else ""


def _minutes(deal: int, options: Options) -> int:
    """Return how long people need for a match of which each deal takes them `deal` minutes.

    A match without a number of deals ends at a target. It takes as many deals as there are points in it at least, and
    `rounds` of them at most (`engine.game.Options`): the middle is reckoned with.
    """
    most, target = options.rounds, getattr(options, "target", 0)
    deals = (target + most) / 2 if 0 < target < most else most
    return max(ROUNDED_TO, ROUNDED_TO * round(deals * deal / ROUNDED_TO))
