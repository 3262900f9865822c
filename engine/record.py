"""A match as data: write it, read it, play it again, verify it. Source: site.md 3.

A document is {"record", "hash", "view"}. `record` is what is hashed and proven; `view` is for people: its parts
that follow from the record (`fx0 fx ev lines mult total` ..) are recomputed, `ms names bots seed` are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import ENGINE_VERSION
from engine.canonical import canonical, record_hash
from engine.cards import CODES
from engine.course import Course, DealLog, SeedOrders
from engine.deck import commitment
from engine.errors import BadRecord
from engine.game import Json
from engine.match import Match
from engine.notation import format_move
from engine.record_difference import first_difference
from engine.record_fair import check_nonces
from engine.record_read import Reading, read_document
from engine.record_replay import check_order, replay, retrace
from engine.record_view import build_view

RECORD_VERSION: Final = 1
OLDER_RULES: frozenset[str] = frozenset()
"""Major.minor of engines whose rules gave other outcomes: their records are not played again. None so far."""


@dataclass(frozen=True, slots=True)
class Verification:
    """Verdict on a document: it proves itself, or a stable code, the place of the first difference, and what it is."""

    ok: bool
    code: str
    where: str
    message: str


def write(
    match: Match,
    *,
    match_id: str,
    fair: dict[str, Any],
    bots: Sequence[str | None],
    preset: str,
    ms: Sequence[Sequence[int]] | None = None,
) -> Json:
    """The document of a match that is over.

    fair: {"stage", "commit", "deal_set", "leg"}; bots: the hash of the version at each seat, None for people;
    ms: CPU milliseconds per deal and move. Raises EngineError `match.running` and BadRecord for what JSON lacks.
    """
    record = build_record(match, match_id=match_id, engine=ENGINE_VERSION, fair=fair, bots=bots)
    return {"record": record, "hash": record_hash(record), "view": build_view(match, preset=preset, ms=ms)}


def build_record(match: Course, *, match_id: str, engine: str, fair: Json, bots: Sequence[str | None]) -> Json:
    """The hashed part of a document."""
    result = match.result()
    return {
        "v": RECORD_VERSION,
        "match": match_id,
        "engine": engine,
        "ruleset": {**match.ruleset.to_json(), "hash": match.ruleset.hash},
        "fair": dict(fair),
        "seats": [{"side": side, "bot": bot} for side, bot in zip(match.sides, bots, strict=True)],
        # Codes, not numbers: a record must be readable without the engine.
        "draws": [[CODES[card] for card in cards] for cards in match.draws],
        "deals": [_deal(log) for log in match.deals],
        "forfeits": [forfeit.to_json() for forfeit in match.forfeits],
        "result": {
            "end": result.end,
            "score": list(result.score),
            "victories": list(result.victories),
            "rank": list(result.rank),
        },
    }


def _deal(log: DealLog) -> Json:
    """A deal; score, winner and victories are null if the match was stopped in it."""
    outcome = log.outcome
    return {
        "n": log.number,
        "dealer": f"p{log.dealer}",
        "orders": [[CODES[card] for card in order] for order in log.orders],
        "moves": [format_move(seat, action) for seat, action in log.moves],
        "score": list(outcome.score) if outcome else None,
        "winner": None if outcome is None or outcome.winner is None else f"p{outcome.winner}",
        "victories": list(outcome.victories) if outcome else None,
    }


def rederive(document: object) -> bytes:
    """Canonical bytes of the record, played again from its own orders and moves. Raises BadRecord."""
    reading = read_document(document)
    return canonical(_rebuild(retrace(reading), reading))


def _rebuild(course: Course, reading: Reading) -> Json:
    return build_record(course, match_id=reading.match_id, engine=reading.engine, fair=reading.fair, bots=reading.bots)


def verify(document: object, *, seed: bytes | None = None, view: bool = True) -> Verification:
    """Check a document: its hash, then every deal through the engine, the result, and the view.

    view: False leaves out what is only shown; the rest, which is hashed and counts, is checked many times quicker.
    With the seed also the commitment, the drawings and every order; the nonces of a table always. Never raises for
    what it is given: what is not a record is not ok. A record of an engine with other rules (minor version) is checked
    for hash, deal and sums.
    """
    try:
        reading = read_document(document)
        check_nonces(reading.fair, len(reading.bots))
        if seed is not None:
            _check_seed(reading, seed)
        # Playing by other rules would find differences that are none: only what needs no rules is checked.
        if not _has_these_rules(reading.engine):
            _check_sums(reading)
            message = f"Made by engine {reading.engine}: checked for hash, deal and sums, not played again."
            return Verification(True, "record.older_engine", "engine", message)
        _check_replay(reading, seed, view=view)
    except BadRecord as error:
        return Verification(False, error.code, error.where, str(error))
    return Verification(True, "record.ok", "", "Every deal, sum and card checks out.")


def _check_replay(reading: Reading, seed: bytes | None, *, view: bool) -> None:
    if not view:
        first_difference(_rebuild(retrace(reading, seed), reading), reading.record, part="record")
        return
    match = replay(reading, seed)
    first_difference(_rebuild(match, reading), reading.record, part="record")
    expected = build_view(match, preset=reading.preset, ms=None)
    first_difference(expected["deals"], reading.view_deals, part="view")


def _has_these_rules(engine: str) -> bool:
    """Return whether a record's engine had the rules of this one; False if it was an older one with others.

    Raises BadRecord for an engine that never was: nobody escapes the replay by naming one.
    """
    rules = engine.rpartition(".")[0]
    if rules == ENGINE_VERSION.rpartition(".")[0]:
        return True
    if rules not in OLDER_RULES:
        message = f"There was no engine {engine}. This is {ENGINE_VERSION}."
        raise BadRecord(message, code="record.engine", where="engine")
    return False


def _check_seed(reading: Reading, seed: bytes) -> None:
    """Check that the seed is the one committed to, and gives the drawings and decks of the record.

    Shuffles of a part of the deck are checked in the replay, which knows what they are for.
    """
    if commitment(seed) != reading.fair.get("commit"):
        raise BadRecord("The seed is not the one that was committed to.", code="record.commit", where="fair.commit")
    source = SeedOrders(seed, reading.deck)
    for number, cards in enumerate(reading.draws):
        check_order(source.drawing(number)[: len(cards)], cards, f"drawing {number + 1}")
    for deal in reading.deals:
        # Orders of the whole deck are those of dealing; shorter ones are shuffles inside the deal.
        decks = [order for order in deal.orders if len(order) == reading.deck.bit_count()]
        for redeal, order in enumerate(decks):
            again = f", dealt again {redeal}" if redeal else ""
            check_order(source.order(deal.number, redeal), order, f"deal {deal.number}{again}")


def _check_sums(reading: Reading) -> None:
    for figure in ("score", "victories"):
        sums = [sum(values) for values in zip(*(deal.figures(figure) for deal in reading.deals))]
        if sums != reading.result.get(figure):
            message = f"The deals add up to {sums}."
            raise BadRecord(message, code="record.sum", where=f"result.{figure}")


__all__ = ["RECORD_VERSION", "Verification", "canonical", "record_hash", "rederive", "verify", "write"]
