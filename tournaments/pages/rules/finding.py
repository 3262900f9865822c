"""Search in the rules: months and cards, presets, paragraphs on how a game is played, yaku. No query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from bots.templatetags.hanami import card_name, month_name
from engine.cards import CARDS, FLOWER_NAMES, codes, set_of
from engine.game import Preset
from engine.games import GAMES, PRESETS, ruleset
from tournaments.pages.rules.counting import counted_in
from tournaments.pages.rules.rules import clause_text, clauses_of, yaku_name
from web.presets import preset_title
from web.search_hits import IN_OTHERS, IN_TITLE, NOWHERE, Hit, distance

BEST_KNOWN: Final = "koikoi_nintendo"
CUT: Final = 140
"""Characters of a paragraph that are shown."""
FAN: Final = 5
"""Cards of a yaku that are shown."""


def find_rules(words: str) -> list[Hit]:
    """Return what holds the words in its name, its note or its text, the nearest first. words: not empty."""
    wanted, found = words.casefold(), list[tuple[int, int, Hit]]()
    for names, text, hit in _everything():
        far = distance(words, hit.title, (*names, hit.note))
        if far < NOWHERE or wanted in text.casefold():
            # Of equals a game comes before a part of one, and the name of its family is as good as a word of its own.
            is_part, by_family = "#" in hit.url, "#" not in hit.url and far == IN_OTHERS
            found.append((IN_TITLE if by_family else far, 2 if is_part else int(by_family), hit))
    found.sort(key=lambda each: each[:2])
    # Presets of a family share their paragraphs: the first of them stands for all.
    first: dict[tuple[str, str], Hit] = {}
    for _far, _which, hit in found:
        first.setdefault((hit.title, hit.note), hit)
    return list(first.values())


def _everything() -> Iterator[tuple[tuple[str, ...], str, Hit]]:
    """Yield names, text and hit of everything on the pages of the rules."""
    yield from _months()
    games: set[str] = set()
    for preset in PRESETS.values():
        words, here = GAMES[preset.game].words, reverse("rules-preset", args=[preset.id])
        ja, game = words.ja.get(preset.id, ""), _(words.title) if words.title else ""
        yield (preset.name, ja, preset.id), "", Hit(preset_title(preset.id), here, game, preset=preset.id)
        yield from _clauses(preset, here)
        if preset.game not in games:
            games.add(preset.game)
            yield from _yaku(preset.game)


def _yaku(game: str) -> Iterator[tuple[tuple[str, ...], str, Hit]]:
    """Yield each yaku of a game once, as the first of its presets has it that counts it."""
    words, presets = GAMES[game].words, [each.id for each in PRESETS.values() if each.game == game]
    for each in words.combinations:
        values = {preset: ruleset(preset).options for preset in presets}
        preset = next((one for one in presets if each.worth_in(values[one])), presets[0])
        penalty = getattr(values[preset], "yaku_penalty", 0)
        worth = each.worth_in(values[preset])
        counted = f"−{counted_in(words.unit, penalty)}" if penalty else counted_in(words.unit, worth) if worth else ""
        name, text = yaku_name(each), _(each.text) if each.text else ""
        note = " · ".join(filter(None, (counted, preset_title(preset))))
        here = f"{reverse('rules-preset', args=[preset])}#yaku"
        fan = tuple(codes(each.cards or each.example)[:FAN])
        yield (name, each.ja), text, Hit(name, here, note, preset=preset, fan=fan)


def _months() -> Iterator[tuple[tuple[str, ...], str, Hit]]:
    """Yield each month of the deck, found by its flower and by the names of its cards."""
    for number in range(1, 13):
        cards = [card for card in CARDS if card.month == number]
        flower = month_name(card_name(cards[0].code))
        # What a card's name says beyond its flower, each once.
        own = dict.fromkeys(card_name(card.code).removeprefix(flower).lstrip(" :\u00a0のに") for card in cards)
        names = (flower, *(each[number - 1] for each in FLOWER_NAMES.values()))
        own_codes = tuple(card.code for card in cards)
        hit = Hit(flower, f"{reverse('rules')}#month-{number}", " · ".join(own), card=own_codes[0], cards=own_codes)
        yield names, " ".join(name for card in cards for name in card.names.values()), hit


def yaku_with(cards: Sequence[str]) -> list[Hit]:
    """Return the yaku that need one of the cards, by the rules that most people know, each with all of its cards."""
    wanted, words = set_of(cards), GAMES[PRESETS[BEST_KNOWN].game].words
    here = f"{reverse('rules-preset', args=[BEST_KNOWN])}#yaku"
    return [
        Hit(yaku_name(each), here, fan=tuple(codes(each.cards))) for each in words.combinations if each.cards & wanted
    ]


def _clauses(preset: Preset, here: str) -> Iterator[tuple[tuple[str, ...], str, Hit]]:
    # "Koi-Koi: Nintendo" stands before a title, and after one colon no other follows.
    family, of, variant = preset_title(preset.id).partition(": ")
    game = f"{family} ({variant})" if of else family
    options = ruleset(preset.id).options
    for each in clauses_of(preset.id):
        title, text = _(each.title), clause_text(each, options)
        note = text if len(text) <= CUT else f"{text[:CUT].rpartition(' ')[0] or text[:CUT]}…"
        yield (title, each.ja), text, Hit(title, f"{here}#{each.id}", note, preset=preset.id, game=game)
