"""Facts about the cards for the pictures: kinds as the preset counts them, values and yaku."""

from collections.abc import Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from engine.cards import CardSet, codes
from engine.game import GAMES
from engine.words import PRINTED, Words

KINDS = ("bright", "animal", "ribbon", "chaff")


def words_of(game: str) -> Words:
    """The words and figures that a game brings along; none for a game that is no longer played here."""
    return GAMES[game].words if game in GAMES else Words()


def yaku_cards(game: str) -> dict[str, tuple[str, ...]]:
    """The combinations of a game that are certain cards, in its own order."""
    return {one.id: codes_of(one.cards) for one in words_of(game).combinations if one.cards}


@cache
def codes_of(cards: CardSet) -> tuple[str, ...]:
    """Codes of a combination. A page of a replay asks for those of each move."""
    return tuple(codes(cards))


def counted_kinds(game: str) -> dict[str, tuple[str, int | None]]:
    """The combinations of a game that count cards of a kind: (the kind, how many are worth nothing yet).

    None where it is not a point for each further card.
    """
    counted = [one for one in words_of(game).combinations if one.kind]
    return {one.id: (one.kind, one.example.bit_count() - 1 if one.worth == 1 else None) for one in counted}


def besides(game: str) -> list[str]:
    """Cards that may count as another kind than their own (the Sake Cup of Koi-Koi as chaff)."""
    return list(words_of(game).also)


def cards_of(name: str, worth: int, tray: Sequence[str], game: str) -> list[str]:
    """Return the captured cards that make a combination; none where others do, such as those dealt in a hand.

    worth: points it brought, which say whether a card of `besides` was counted.
    """
    if name not in counted_kinds(game):
        certain = yaku_cards(game).get(name, ())
        return list(certain) if set(tray).issuperset(certain) else []
    kind, free = counted_kinds(game)[name]
    of, doubtful = kinds(game), [card for card in besides(game) if card in tray]
    own = [card for card in tray if of[card] == kind and card not in doubtful]
    more = 0 if free is None else max(free + worth - len(own), 0)
    return sorted(own + doubtful[:more])


def yaku_worths(game: str, options: Mapping[str, Any]) -> dict[str, int]:
    """Return what each combination is worth under these options, in the unit of the game.

    Where yaku take from the others it is what one takes from each. A record without an option has the usual worth.
    """
    combinations = words_of(game).combinations
    given = SimpleNamespace(**{option: options.get(option) for one in combinations for option in one.by_option})
    return {one.id: int(options.get("yaku_penalty") or one.worth_in(given)) for one in combinations}


def values(game: str) -> dict[str, int]:
    """Card points by code; empty where cards have none."""
    return dict(words_of(game).values)


def kinds(game: str) -> dict[str, str]:
    """Return what every card counts as, by code. Sakura counts by value: the Rain Man (5) is an animal, the Yellow
    Paulownia (10) a ribbon (rules.md 1.1); other games go by what is printed.
    """
    return dict(words_of(game).categories)


def overlays(game: str) -> dict[str, str]:
    """Cards whose printed glyph would say the wrong kind in this game, with the right one."""
    return {code: kind for code, kind in kinds(game).items() if kind != PRINTED[code]}


def group(cards: Sequence[str], game: str) -> list[tuple[str, list[str]]]:
    """A tray by kind, brights first, months in order; empty kinds are left out."""
    of = kinds(game)
    groups = [(kind, sorted(card for card in cards if of[card] == kind)) for kind in KINDS]
    return [(kind, own) for kind, own in groups if own]


def points(cards: Sequence[str], game: str) -> int:
    """Card points of a tray."""
    worth = words_of(game).values
    return sum(worth.get(card, 0) for card in cards)


def standings(trays: Sequence[Sequence[str]], game: str, options: Mapping[str, Any]) -> list[int]:
    """Return what the deal would count for every side if it ended now: its cards, less what yaku of others take."""
    complete = [len(made((), tray, game)) for tray in trays]
    taken = options.get("yaku_penalty", 0)
    return [points(tray, game) - taken * (sum(complete) - own) for tray, own in zip(trays, complete, strict=True)]


def made(before: Sequence[str], after: Sequence[str], game: str) -> list[str]:
    """Ids of the yaku that a tray completes between two positions."""
    if before == after:
        return []  # at every move the trays of all others
    had, has = set(before), set(after)
    return [name for name, cards in yaku_cards(game).items() if has.issuperset(cards) and not had.issuperset(cards)]
