"""An example as a document for the replay viewer: played by the engine now, written like the record of any match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

from core.rulebook.model import Example
from core.rulebook.walk import opened, played_to
from engine.cards import CODES
from engine.game import Json
from engine.match import Match
from engine.record import write

NAMES: Final = ("Kimo", "Lani", "Noelani", "Keoni", "Malia", "Pua", "Kai")
"""Who sits at the table, in seat order."""
FAIR: Final[dict[str, Any]] = {"stage": "", "commit": "", "deal_set": "", "leg": 1}


@dataclass(frozen=True, slots=True)
class Packet:
    """Cards that were dealt together: how many to which zone (`h0`, `f`, `d`)."""

    target: str
    count: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing for the first dealer: the cards in the order drawn, and whether those on the earliest month tie."""

    cards: tuple[str, ...]
    tied: bool


@lru_cache(maxsize=256)
def match_of(example: Example) -> Match:
    """The game of an example, played until its moment is over, and stopped there."""
    match = played_to(opened(example.preset, example.seats, example.number, example.teams), example.deal, example.move)
    match.stop("cap")
    return match


@lru_cache(maxsize=256)
def document_of(example: Example) -> Json:
    """{"record", "hash", "view"} with every deal up to the moment, its last deal up to the move.

    Not to be changed: it is kept. Nobody can verify it as a match, since most are not over.
    """
    match = match_of(example)
    nobody: list[str | None] = [None] * example.seats
    document: Any = write(match, match_id=example.topic, fair=FAIR, bots=nobody, preset=example.preset)
    for part in ("record", "view"):
        document[part]["deals"] = document[part]["deals"][: example.deal]
    document["view"]["names"] = list(NAMES[: example.seats])
    return dict(document)


def drawings(example: Example) -> list[Drawing]:
    """Return how the first dealer was found: every drawing, the first one by all in seat order."""
    draws = match_of(example).draws
    return [Drawing(tuple(CODES[card] for card in cards), number < len(draws)) for number, cards in enumerate(draws, 1)]


def packets(example: Example) -> list[Packet]:
    """Return the packets in which the deck was dealt in the example's deal: the order of the deck, cut where the
    zone changes.
    """
    log = match_of(example).deals[example.deal - 1]
    lands = {step.card: step.target for step in log.dealt.steps if step.source == "p"}
    zones = [lands[card] for card in log.orders[0] if card in lands]
    return [Packet(target, len(list(cards))) for target, cards in groupby(zones)]
