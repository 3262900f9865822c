"""Reading a document that anyone may have sent: every shape is checked before it is used. Raises only BadRecord."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from engine.canonical import record_hash
from engine.cards import BITS, INDEX, CardSet
from engine.errors import BadOption, BadRecord, BadSeating
from engine.game import Forfeit, Json, Ruleset, game_of

_T = TypeVar("_T")
MAX_ORDERS: Final = 6_000
"""More than a match can use: every order but the first follows at least one move or a deal thrown in."""


@dataclass(frozen=True, slots=True)
class DealReading:
    """A deal of a record. orders: card indices, of the whole deck or of the cards of a further shuffle; moves: text."""

    number: int
    orders: tuple[tuple[int, ...], ...]
    moves: tuple[str, ...]
    raw: Json

    def figures(self, name: str) -> list[int]:
        """`score` or `victories` per side, whole numbers. Raises BadRecord."""
        where = f"deal {self.number}, {name}"
        return [want(value, int, where) for value in entry(self.raw, name, list, f"deal {self.number}")]


@dataclass(frozen=True, slots=True)
class Reading:
    """A document whose shape is right, whose hash fits and whose ruleset exists. Nothing was played again yet."""

    record: Json
    match_id: str
    engine: str
    ruleset: Ruleset
    deck: CardSet
    fair: Json
    bots: tuple[str | None, ...]
    draws: tuple[tuple[int, ...], ...]
    deals: tuple[DealReading, ...]
    forfeits: tuple[Forfeit, ...]
    result: Json
    preset: str
    view_deals: list[object]


def _fail(message: str, where: str, code: str = "record.malformed") -> BadRecord:
    return BadRecord(message, code=code, where=where)


def want(value: object, kind: type[_T], where: str) -> _T:
    """The value if it is of this kind. Raises BadRecord `record.malformed`."""
    # bool is an int in Python; no field of a record is a truth value.
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _fail(f"{where} should be {kind.__name__}, not {type(value).__name__}.", where)
    return value


def entry(parent: Json, name: str, kind: type[_T], where: str) -> _T:
    """Return what an object has under a name, of this kind. Raises BadRecord `record.malformed`."""
    path = f"{where}.{name}" if where else name
    if name not in parent:
        raise _fail(f"{path} is missing.", path)
    return want(parent[name], kind, path)


def read_document(document: object) -> Reading:
    """Check the shape, the version and the hash of a document. Raises BadRecord."""
    whole = want(document, dict, "document")
    record = entry(whole, "record", dict, "")
    # True == 1: the type is asked as well.
    if record.get("v") != 1 or type(record.get("v")) is not int:
        raise _fail(f"This engine reads records of version 1, not {record.get('v')!r:.20}.", "v", "record.version")
    # The hash before anything else: what is not the record that was proven is not looked at further.
    if entry(whole, "hash", str, "") != record_hash(record):
        raise _fail("The hash is not the one of this record.", "hash", "record.hash")
    view = entry(whole, "view", dict, "")
    engine = read_engine(entry(record, "engine", str, ""))
    ruleset = read_ruleset(entry(record, "ruleset", dict, ""), engine)
    deck = game_of(ruleset.game).deck
    bots = read_bots(entry(record, "seats", list, ""), ruleset)
    return Reading(
        record=record,
        match_id=entry(record, "match", str, ""),
        engine=engine,
        ruleset=ruleset,
        deck=deck,
        fair=entry(record, "fair", dict, ""),
        bots=bots,
        draws=_draws(entry(record, "draws", list, ""), deck),
        deals=_deals(entry(record, "deals", list, ""), deck),
        forfeits=read_forfeits(entry(record, "forfeits", list, ""), len(bots)),
        result=entry(record, "result", dict, ""),
        preset=entry(view, "preset", str, "view"),
        view_deals=entry(view, "deals", list, "view"),
    )


def read_engine(version: str) -> str:
    """A version like 1.0.0. Raises BadRecord."""
    parts = version.split(".")
    # isdigit() alone takes digits of other scripts, and int() of very many is slow.
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 6 for part in parts):
        raise _fail(f"{version!r:.40} is no engine version.", "engine")
    return version


def read_ruleset(value: Json, engine: str) -> Ruleset:
    """The ruleset of a record that this engine version wrote, with the hash of its options.

    Every option is named, since defaults may change and old results may not; only an option that was added later
    (`OptionInfo.since`) is left out at its default, which never changes. Raises BadRecord `record.ruleset`.
    """
    try:
        ruleset = Ruleset.from_json(value)
    except BadOption as error:
        raise _fail(str(error), "ruleset", "record.ruleset") from error
    # Compared as written: an option that is left out would take today's default, not that of the match.
    if value.get("options") != ruleset.to_json()["options"] or value.get("hash") != ruleset.hash:
        raise _fail("The ruleset does not name every option and its hash.", "ruleset", "record.ruleset")
    _check_age(ruleset, engine)
    return ruleset


def _check_age(ruleset: Ruleset, engine: str) -> None:
    """No engine has played by an option that was added after it. Raises BadRecord `record.ruleset`."""
    values = ruleset.resolved()
    for info in game_of(ruleset.game).options:
        is_newer = info.since is not None and _version(info.since) > _version(engine)
        if is_newer and values[info.id] != info.default:
            message = f"Option {info.id} came with engine {info.since}, and this record says that {engine} played it."
            raise _fail(message, "ruleset", "record.ruleset")


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def read_bots(seats: Sequence[object], ruleset: Ruleset) -> tuple[str | None, ...]:
    """Hash of the version at each seat, None for a person. Raises BadRecord."""
    try:
        ruleset.sides(len(seats))
    except BadSeating as error:
        raise _fail(str(error), "seats", "record.seats") from error
    bots: list[str | None] = []
    for number, seat in enumerate(seats):
        where = f"seats[{number}]"
        item_dict = want(seat, dict, where)
        # 0 stands for a missing field: null is a person, and no field at all is an error.
        bots.append(None if item_dict.get("bot", 0) is None else entry(item_dict, "bot", str, where))
    return tuple(bots)


def _cards(value: object, where: str, deck: CardSet) -> tuple[int, ...]:
    """Distinct cards of the deck."""
    codes = want(value, list, where)
    if not all(isinstance(code, str) for code in codes):
        raise _fail(f"{where} should be a list of card codes.", where)
    # All codes at once: orders are most of a record.
    found = [INDEX.get(code, -1) for code in codes]
    seen = 0
    for code, card in zip(codes, found, strict=True):
        if card < 0 or not deck >> card & 1 or seen >> card & 1:
            raise _fail(f"{code!r:.20} is no card of this deck, or comes twice.", where, "record.card")
        seen |= BITS[card]
    return tuple(found)


def _draws(value: Sequence[object], deck: CardSet) -> tuple[tuple[int, ...], ...]:
    return tuple(_cards(cards, f"drawing {number}", deck) for number, cards in enumerate(value, start=1))


def _deals(value: Sequence[object], deck: CardSet) -> tuple[DealReading, ...]:
    return tuple(_deal(want(deal, dict, f"deal {n}"), n, deck) for n, deal in enumerate(value, start=1))


def _deal(deal: Json, number: int, deck: CardSet) -> DealReading:
    where = f"deal {number}"
    orders = entry(deal, "orders", list, where)
    if not orders or len(orders) > MAX_ORDERS:
        raise _fail("A deal has at least one order.", where, "record.orders")
    found = tuple(_cards(order, f"{where}, order {n}", deck) for n, order in enumerate(orders, start=1))
    size = deck.bit_count()
    if len(found[0]) != size or not all(found):
        raise _fail(f"The first order of a deal has {size} cards, no order is empty.", where, "record.orders")
    moves = tuple(want(move, str, f"{where}, moves") for move in entry(deal, "moves", list, where))
    return DealReading(number, found, moves, deal)


def read_forfeits(value: Sequence[object], seats: int) -> tuple[Forfeit, ...]:
    """Forfeits, each seat once. Raises BadRecord."""
    found: list[Forfeit] = []
    for number, item in enumerate(value, start=1):
        where = f"forfeit {number}"
        item_dict = want(item, dict, where)
        seat, deal, move = (entry(item_dict, name, int, where) for name in ("seat", "deal", "move"))
        if not 0 <= seat < seats or any(forfeit.seat == seat for forfeit in found):
            raise _fail("There is no such seat, or it forfeits twice.", where, "record.forfeit")
        found.append(Forfeit(seat, deal, move, entry(item_dict, "code", str, where)))
    return tuple(found)
