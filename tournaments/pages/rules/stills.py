"""Stills of the rules: for each clause three or four cards of its own example, and where they go.

A still is what a reader sees before the moment is played; the page's style sheet plays it in place. Everything comes
from the game of the example (`core.rulebook`), so a still shows what the engine does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, Final

from django.utils.translation import get_language, override

from core.replay import facts
from core.replay.document import Deal, Effect, Move, Replay, read
from core.replay.marks import Board, write
from core.replay.reducer import Position, position_at
from core.replay.words import Phrasebook, deal_text, event_key, move_key
from core.rulebook.model import Example, example_of
from core.rulebook.shown import document_of
from engine.cards import codes
from engine.games import GAMES, PRESETS
from tournaments.pages.matches.matches import phrasebook_of
from tournaments.pages.rules.counting import counted_in

MAX_CARDS: Final = 4
"""Cards on either side of a still."""
WIDTH: Final = 250
"""Of the picture; a card is `CARD` wide. Beside a figure the middle of the cards is at `BESIDE`."""
CARD: Final = 48
BESIDE: Final = 75
EMPTY: Final = 132
"""Where a place lies that has no card."""
BACK: Final = ""
"""The code of a card that lies face down: the pile."""
CLAIMS: Final = frozenset({"gaji-claim"})
"""Clauses about cards that move once a deal is over; of any other clause the end of a deal shows the score."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A card in the picture, which is `WIDTH` units wide. symbol: of the sprite, "" for the reader's back."""

    symbol: str
    x: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Which cards of a player to show. about: those of the clause, shown first; earlier: how many clauses before it
    show the same moment.
    """

    about: frozenset[str]
    earlier: int


@dataclass(frozen=True, slots=True)
class ClauseStill:
    """A still. kind: how it plays: `play` (cards fly onto others), `deal` (cards come from the pile), `show` (cards
    rise).

    moving: the cards that fly; lying: those that they fly to, none where the field has nothing for them; taken: all of
    them are captured. figure: a score with its unit or what was called; told: the moment in words.
    """

    kind: str
    moving: tuple[Slot, ...]
    lying: tuple[Slot, ...]
    taken: bool = False
    figure: str = ""
    told: str = ""

    @property
    def left(self) -> int:
        """Return where the picture begins: its cards lie in the middle, beside a figure in the left part."""
        lying = [slot.x for slot in self.lying] or [EMPTY]
        places = [slot.x for slot in self.moving] + lying
        middle = (min(places) + max(places) + CARD) // 2
        return middle - (BESIDE if self.figure else WIDTH // 2)

    @property
    def codes(self) -> set[str]:
        """Return the codes of the cards that are to be seen."""
        symbols = [slot.symbol for slot in (*self.moving, *self.lying) if slot.symbol]
        return {f"{symbol[1:3]}.{int(symbol[3:])}" for symbol in symbols}


# Counted from a game that the engine plays; it does not change while the process lives.
@lru_cache(maxsize=1024)
def still_of(preset: str, topic: str, language: str) -> ClauseStill | None:
    """Return the still of a clause; None where it has no example."""
    example = example_of(preset, topic)
    if example is None:
        return None
    document: Any = document_of(example)
    replay = read(document)
    deal = replay.deals[example.deal - 1]
    about = _cards_of(preset, topic)
    if example.span:
        choice = Choice(about, _earlier(example))
        with override(language):
            found = _moved(replay, deal, example, phrasebook_of(language, replay.game), choice)
    else:
        found = _dealt(replay, deal, about)
    return replace(found, told=" ".join(sentences(document, example, language)))


def sentences(document: Mapping[str, Any], example: Example, language: str = "") -> list[str]:
    """Return what happens in the moment, a sentence per move; of a dealing the one about it, and how the last deal
    ended. language: "" is the reader's.
    """
    replay = read(document)
    book = phrasebook_of(language or get_language() or "en", replay.game)
    lines = deal_text(replay, book, replay.deals[example.deal - 1])
    if example.span:
        return lines[example.before + 1 : example.move + 1]
    last = deal_text(replay, book, replay.deals[example.deal - 2])[-1:] if example.deal > 1 else []
    return [*last, lines[example.move]]


def _cards_of(preset: str, topic: str) -> frozenset[str]:
    """Return the cards that a clause is about."""
    clauses = GAMES[PRESETS[preset].game].words.clauses
    return frozenset(code for clause in clauses if clause.id == topic for code in codes(clause.cards))


def _earlier(example: Example) -> int:
    """Return how many clauses before it show the very moment of this example: each of them shows other cards of it."""
    clauses = GAMES[PRESETS[example.preset].game].words.clauses
    before = takewhile(lambda topic: topic != example.topic, (clause.id for clause in clauses))
    shown = [example_of(example.preset, topic) for topic in before]
    return sum(each is not None and replace(each, topic=example.topic) == example for each in shown)


def _dealt(replay: Replay, deal: Deal, about: frozenset[str]) -> ClauseStill:
    """Return the still of a dealing: a hand that is shown, a month that is captured, or cards from the pile."""
    taken = [effect.card for effect in deal.start if effect.source == "f" and effect.target[0] == "c"]
    if taken:
        return _captured(taken)
    shown = _named(deal.events)
    if shown:
        return _show(shown)
    position = position_at(replay, deal, 0)
    cards = position.on_field or position.discard or position.hands[deal.dealer]
    first = sorted(cards, key=lambda card: card not in about)
    return ClauseStill("deal", _fan([BACK]), _row(first[: MAX_CARDS - 1]))


def _moved(replay: Replay, deal: Deal, example: Example, book: Phrasebook, choice: Choice) -> ClauseStill:
    """Return the still of one move or a few."""
    before, moves = position_at(replay, deal, example.before), deal.moves[example.before : example.move]
    effects = [effect for move in moves for effect in move.effects]
    if example.topic in CLAIMS:
        named = set(_named(event for move in moves for event in move.events))
        claimed = list(dict.fromkeys(effect.card for effect in effects if effect.card in named))
        if claimed:
            return _captured(claimed)
    elif deal.score and example.move == len(deal.moves) and any(before.trays):
        return _score(replay, deal, choice)
    if moves[0].effects:
        found = _flight(effects, before)
        return replace(found, figure=_counted(replay, max(deal.score))) if choice.earlier and deal.score else found
    return _said(replay, before, moves[0], book, choice)


def _flight(effects: Sequence[Effect], before: Position) -> ClauseStill:
    """Return the still of cards that move: those from a hand, else the one turned up, and what they capture."""
    # A turn is a hand card, then the top of the pile; what each captures comes before it. The still shows the first.
    places = [at for at, effect in enumerate(effects) if effect.source[0] == "h"]
    part = effects[: places[-1] + 1] if places else effects
    movers = [effect for effect in part if effect.source[0] == ("h" if places else "p")]
    lying = [effect.card for effect in part if effect.source in ("f", "d") and effect.target[0] == "c"]
    onto_discard = bool(movers) and movers[0].target == "d"
    if onto_discard:
        lying = before.discard[-1:]
    taken = not onto_discard and any(effect.target[0] == "c" for effect in movers or part)
    return ClauseStill("play", _fan([effect.card for effect in movers]), _row(lying), taken=taken)


def _said(replay: Replay, before: Position, move: Move, book: Phrasebook, choice: Choice) -> ClauseStill:
    """Return the still of a bid or a call: what its player has, and what was said."""
    board, known = Board(), facts.words_of(replay.game).marks
    write(replay, book, board, move_key(known, move), {**move.action, "by": move.seat})
    for event in move.events:
        write(replay, book, board, event_key(known, event), event)
    own = before.trays[replay.sides[move.seat]] or before.hands[move.seat]
    said = board.at(move.seat)
    return _show(_best(own, replay.game, choice), said[-1] if said else "")


def _score(replay: Replay, deal: Deal, choice: Choice) -> ClauseStill:
    """Return the still of the end of a deal: the best cards of the side that won it, and its score."""
    side = max(range(replay.side_count), key=lambda number: deal.score[number])
    captured = position_at(replay, deal, len(deal.moves)).trays[side]
    return _show(_best(captured, replay.game, choice), _counted(replay, deal.score[side]))


def _counted(replay: Replay, score: int) -> str:
    """Return a score with the unit of its game."""
    return counted_in(GAMES[replay.game].words.unit, score)


def _captured(cards: Sequence[str]) -> ClauseStill:
    """Return the still of cards that are captured where they lie: nothing flies onto them."""
    return replace(_show(cards), kind="play", taken=True)


def _show(cards: Sequence[str], figure: str = "") -> ClauseStill:
    most = MAX_CARDS - 1 if figure else MAX_CARDS
    lying = tuple(Slot(_symbol(code), 16 + 40 * at) for at, code in enumerate(cards[:most]))
    return ClauseStill("show", (), lying, figure=figure)


def _best(cards: Iterable[str], game: str, choice: Choice) -> list[str]:
    """Return the most telling cards, brights first, then by value; after a card that the clause is about the least, as
    they show what it is beside. A clause that shows the moment of an earlier one begins where that one ends.
    """
    kinds, worth = facts.kinds(game), facts.values(game)
    ranked = sorted(cards, key=lambda card: (-worth.get(card, 0), facts.KINDS.index(kinds[card]), card))
    first = [card for card in ranked if card in choice.about]
    if first:
        return [first[0], *(card for card in reversed(ranked) if card != first[0])][:MAX_CARDS]
    start = choice.earlier * (MAX_CARDS - 1) % max(len(ranked), 1)
    return [*ranked[start:], *ranked[:start]][:MAX_CARDS]


def _named(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the cards that events name."""
    return [card for event in events for card in event.get("cards") or ()]


def _fan(cards: Sequence[str]) -> tuple[Slot, ...]:
    """Return cards in a fan whose last one lies at a fixed place, from which it flies."""
    shown = cards[-MAX_CARDS:]
    return tuple(Slot(_symbol(code), 46 - 12 * (len(shown) - 1 - at)) for at, code in enumerate(shown))


def _row(cards: Sequence[str]) -> tuple[Slot, ...]:
    """Return cards in a row, closer the more there are."""
    shown = cards[:MAX_CARDS]
    step = min(52, 72 // max(len(shown) - 1, 1))
    return tuple(Slot(_symbol(code), 132 + step * at) for at, code in enumerate(shown))


def _symbol(code: str) -> str:
    """Return the name of a card in the sprites: `03.1` is `c0301`."""
    month, _point, rank = code.partition(".")
    return f"c{int(month):02}{int(rank):02}" if code else BACK
