"""A record for the archive: the seed stands for every order of cards, and what follows from play is left out.

{"v", "compact": 1, "match", "engine", "ruleset", "fair", "bots", "preset", "seed", "deals", "forfeits", "hash"}:
`deals` holds the actions of each deal as one text, parted by `;`; `hash` is that of the whole record. It is half the
record's size and proves the same: `expand` plays it again, and the hash of what comes out must be the one it carries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.action import Action
from engine.canonical import record_hash
from engine.cards import CardSet
from engine.course import FORFEIT, Course, SeedOrders
from engine.deck import commitment
from engine.errors import BadAction, BadRecord, EngineError
from engine.game import Forfeit, Json, Ruleset, game_of
from engine.match import Match
from engine.notation import parse_action
from engine.record import build_record, verify
from engine.record_read import entry, read_bots, read_engine, read_forfeits, read_ruleset, want
from engine.record_view import build_view

VERSION: Final = 1
PARTED_BY: Final = ";"
SEED_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class CompactReading:
    """A compact record whose shape is right. Nothing was played again yet."""

    match_id: str
    engine: str
    ruleset: Ruleset
    deck: CardSet
    fair: Json
    bots: tuple[str | None, ...]
    preset: str
    seed: bytes
    deals: tuple[tuple[Action, ...], ...]
    forfeits: tuple[Forfeit, ...]
    hash: str


def compact(document: Json, seed: bytes) -> Json:
    """The compact form of a document. Raises BadRecord if the document does not verify with this seed."""
    # Proven before anything is left out: what is dropped here could not be checked later.
    found = verify(document, seed=seed)
    if not found.ok:
        raise BadRecord(found.message, code=found.code, where=found.where)
    record: dict[str, Any] = entry(document, "record", dict, "")
    return {
        "v": record["v"],
        "compact": VERSION,
        "match": record["match"],
        "engine": record["engine"],
        "ruleset": record["ruleset"],
        "fair": record["fair"],
        "bots": [seat["bot"] for seat in record["seats"]],
        "preset": entry(entry(document, "view", dict, ""), "preset", str, "view"),
        "seed": seed.hex(),
        "deals": [PARTED_BY.join(move.partition(" ")[2] for move in deal["moves"]) for deal in record["deals"]],
        "forfeits": record["forfeits"],
        "hash": document["hash"],
    }


def read_compact(value: object) -> CompactReading:
    """Check the shape of a compact record that anyone may have sent. Raises BadRecord."""
    whole = want(value, dict, "record")
    if whole.get("v") != 1 or whole.get("compact") != VERSION:
        raise BadRecord("This engine reads compact records of version 1.", code="record.version", where="compact")
    engine = read_engine(entry(whole, "engine", str, ""))
    ruleset = read_ruleset(entry(whole, "ruleset", dict, ""), engine)
    bots = read_bots([{"bot": bot} for bot in entry(whole, "bots", list, "")], ruleset)
    return CompactReading(
        match_id=entry(whole, "match", str, ""),
        engine=engine,
        ruleset=ruleset,
        deck=game_of(ruleset.game).deck,
        fair=entry(whole, "fair", dict, ""),
        bots=bots,
        preset=entry(whole, "preset", str, ""),
        seed=_seed(entry(whole, "seed", str, "")),
        deals=tuple(_actions(deal, number) for number, deal in enumerate(entry(whole, "deals", list, ""), start=1)),
        forfeits=read_forfeits(entry(whole, "forfeits", list, ""), len(bots)),
        hash=entry(whole, "hash", str, ""),
    )


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError as error:
        raise BadRecord("The seed is no hexadecimal number.", code="record.malformed", where="seed") from error
    # fromhex() also takes spaces and capitals: one seed has one spelling, since the form itself may be compared.
    if seed.hex() != text or len(seed) != SEED_BYTES:
        raise BadRecord(f"A seed has {SEED_BYTES} bytes, in small letters.", code="record.malformed", where="seed")
    return seed


def _actions(text: object, number: int) -> tuple[Action, ...]:
    """The actions of a deal. A deal may be over as it is dealt: then its text is empty."""
    where = f"deal {number}"
    parts = want(text, str, where)
    try:
        # "".split(";") is one empty action.
        return tuple(parse_action(part) for part in parts.split(PARTED_BY)) if parts else ()
    except BadAction as error:
        raise BadRecord(str(error), code="record.move", where=where) from error


def retrace_compact(reading: CompactReading) -> Course:
    """The course of the match, played again from its seed. Raises BadRecord where an action does not fit."""
    return _played(reading, Course(reading.ruleset, len(reading.bots), SeedOrders(reading.seed, reading.deck)))


def _played(reading: CompactReading, course: Course) -> Course:
    try:
        for actions in reading.deals:
            if actions:
                course.play_deal(actions)
    except EngineError as error:
        raise BadRecord(str(error), code="record.move", where=f"deal {course.deal}") from error
    course.forfeits.extend(reading.forfeits)
    if not course.is_over and course.forfeits and course.is_decided:
        course.stop(FORFEIT)
    # Empty deals after the end are passed over above: without this a match would have more than one spelling.
    if not course.is_over or len(course.deals) != len(reading.deals):
        raise BadRecord("The match goes on, but no move is left.", code="record.move", where=f"deal {course.deal}")
    return course


def expand(value: object) -> Json:
    """The document of a compact record, played again from its seed; its view is without times.

    Raises BadRecord: `record.commit` for a seed that was not committed to, `record.hash` if it was another record.
    """
    reading = read_compact(value)
    # Before anything is played: another seed gives other cards, and its first refused move would be a puzzling error.
    if commitment(reading.seed) != reading.fair.get("commit"):
        raise BadRecord("The seed is not the one that was committed to.", code="record.commit", where="fair.commit")
    match = Match(reading.ruleset, len(reading.bots), reading.seed)
    _played(reading, match)
    record = build_record(match, match_id=reading.match_id, engine=reading.engine, fair=reading.fair, bots=reading.bots)
    # The end of the proof: the same hash means the same record, to the last byte.
    if record_hash(record) != reading.hash:
        raise BadRecord("What was played again has another hash.", code="record.hash", where="hash")
    return {"record": record, "hash": reading.hash, "view": build_view(match, preset=reading.preset, ms=None)}
