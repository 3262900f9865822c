"""Checks of a record document that need no knowledge of the rules: hash, seed, every card, sums, places.

The twin of `static/verify/proof.js`: the same checks in the same order, with the same codes. It takes what anyone may
have sent and never raises for it. Playing the moves again needs the engine: `tournaments.matches.records.proofs`.
Source: tournaments.md 11 (the recipe), site.md 3 (the document).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from operator import add
from typing import Any, Final

from engine.canonical import record_hash
from engine.cards import CODES, INDEX, card_set, codes
from engine.deck import commitment, dealer_order, deck_order, further_order
from engine.errors import BadRecord
from engine.games import GAMES
from engine.record_fair import check_nonces

Values = Mapping[str, int | str]
OK: Final = "ok"
BAD: Final = "bad"
OPEN: Final = "open"
MALFORMED: Final = (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError)
"""Errors that a check may run into in a document of another shape."""
NONCE_FAULTS: Final = {"record.secret": "wrong_secret", "record.commit": "wrong_seed"}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a proof. key, values: its words in `proof_words.PROOF`.

    state: `ok`, `bad`, or `open` where it cannot be said. fault, details: the words of what is wrong or missing; code:
    its stable code, "" while nothing is wrong. `expected` and `found` in `details` are cards.
    """

    key: str
    values: Values = field(default_factory=dict)
    state: str = OK
    code: str = ""
    fault: str = ""
    details: Values = field(default_factory=dict)


class Fault(Exception):
    """The fault that a check finds: raised by it, caught by `_checked`."""

    def __init__(self, code: str, key: str, details: Values | None = None) -> None:
        super().__init__(code)
        self.code, self.key, self.details = code, key, details or {}


def prove(document: Mapping[str, Any], seed: bytes | None) -> Iterator[Check]:
    """Check a document step by step. seed: the revealed one; without it the cards stay open."""
    record, view = document.get("record"), document.get("view")
    yield _checked("hash", partial(_hash, record, document.get("hash")))
    if _has_nonces(record):
        yield _checked("nonces", partial(_nonces, record))
    if seed is None:
        yield Check("decks", state=OPEN, fault="no_seed")
    else:
        yield from _cards(record, seed)
    yield _checked("flow", partial(_flow, record, view))
    yield _checked("lines", partial(_lines, record, view))
    yield _checked("totals", partial(_totals, record, view))
    yield _places(record, view)


def _checked(key: str, check: Callable[[], None], **values: int | str) -> Check:
    try:
        check()
    except Fault as found:
        return Check(key, values, BAD, found.code, found.key, found.details)
    except MALFORMED:
        return Check(key, values, BAD, "record.malformed", "wrong_shape")
    return Check(key, values)


def _short(value: object, most: int = 20) -> str:
    """Return what was found where something else should be; "" where nothing was."""
    return "" if value is None else str(value)[:most]


def _pairs(one: Sequence[Any], other: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Pair two lists; raise ValueError at once if one is longer."""
    return list(zip(one, other, strict=True))


def _hash(record: Any, has: Any) -> None:
    try:
        should = record_hash(record)
    except BadRecord as error:
        raise Fault(error.code, "wrong_shape") from error
    if should != has:
        raise Fault("record.hash", "wrong_hash", {"should": should, "has": _short(has, 100)})


def _has_nonces(record: Any) -> bool:
    """Return whether every seat helped to shuffle: a match at a table of the site."""
    fair = record.get("fair") if isinstance(record, dict) else None
    return isinstance(fair, dict) and "nonces" in fair


def _nonces(record: Any) -> None:
    try:
        check_nonces(record["fair"], len(record["seats"]))
    except BadRecord as error:
        if error.code == "record.nonce":
            seat = error.where.removeprefix("fair.nonces").strip("[]")
            raise Fault(error.code, "wrong_nonce", {"seat": int(seat or 0) + 1}) from error
        raise Fault(error.code, NONCE_FAULTS.get(error.code, "wrong_shape")) from error


# -- cards ----------------------------------------------------------------------------------------------------------


def _cards(record: Any, seed: bytes) -> Iterator[Check]:
    yield _checked("commit", partial(_commit, record, seed))
    try:
        deck, draws, deals = _deck_of(record), list(record["draws"]), [list(deal["orders"]) for deal in record["deals"]]
    except MALFORMED:
        yield Check("decks", {}, BAD, "record.malformed", "wrong_shape")
        return
    if draws:
        yield _checked("draws", partial(_drawn, draws, seed, deck))
    for number, orders in enumerate(deals, start=1):
        key = "deal" if len(orders) == 1 else "orders"
        yield _checked(key, partial(_orders, orders, number, seed, deck), deal=number, orders=len(orders))


def _deck_of(record: Any) -> int:
    return GAMES[record["ruleset"]["game"]].deck


def _commit(record: Any, seed: bytes) -> None:
    should, has = commitment(seed), record["fair"]["commit"]
    if should != has:
        raise Fault("record.commit", "wrong_commit", {"should": should, "has": _short(has, 100)})


def _drawn(draws: Sequence[Any], seed: bytes, deck: int) -> None:
    for number, found in enumerate(draws):
        expected = _named(dealer_order(seed, number, deck))[: len(found)]
        _same(expected, found, "wrong_draw", order=number + 1)


def _orders(orders: Sequence[Any], deal: int, seed: bytes, deck: int) -> None:
    """Check every order of a deal: of the whole deck, or of the cards that a further shuffle was about."""
    full, thrown, further = deck.bit_count(), 0, 0
    if not orders or len(orders[0]) != full:
        has = len(orders[0]) if orders else 0
        raise Fault("record.orders", "wrong_length", {"deal": deal, "order": 1, "has": has, "should": full})
    for number, found in enumerate(orders, start=1):
        if len(found) == full:
            expected = _named(deck_order(seed, deal, thrown, deck))
            thrown += 1
        else:
            expected = _further(found, seed, deal, thrown - 1, further)
            further += 1
        _same(expected, found, "wrong_card", deal=deal, order=number)


def _further(found: Sequence[Any], seed: bytes, deal: int, thrown: int, further: int) -> list[str]:
    """Return the order of a shuffle inside a deal; the cards tell which of the recipe's two it is."""
    cards = card_set([INDEX[card] for card in dict.fromkeys(found)])
    both = [
        _named(further_order(seed, label, deal, number, cards))
        for label, number in (("return", thrown), ("reshuffle", further))
    ]
    # Without the rules nobody can say which shuffle it was. The one that agrees further is meant, and its first
    # difference is then shown.
    return max(both, key=lambda expected: _agreeing(expected, found))


def _named(order: Sequence[int]) -> list[str]:
    return [CODES[card] for card in order]


def _agreeing(expected: Sequence[str], found: Sequence[Any]) -> int:
    """Return how many cards agree before the first that does not."""
    pairs = enumerate(zip(expected, found, strict=False))
    return next((place for place, (should, card) in pairs if should != card), min(len(expected), len(found)))


def _same(expected: Sequence[str], found: Sequence[Any], key: str, **details: int) -> None:
    """Raise Fault at the first card that the seed gives otherwise."""
    place = _agreeing(expected, found)
    if place == len(expected) == len(found):
        return
    should = expected[place] if place < len(expected) else ""
    has = _short(found[place]) if place < len(found) else ""
    raise Fault("record.order", key, {**details, "place": place + 1, "expected": should, "found": has})


# -- the replay's cards against the orders ----------------------------------------------------------------------------


class _Pile:
    """The draw pile of a deal, as the orders say it lies: what leaves it must be what is next."""

    def __init__(self, deal: int, orders: Sequence[Sequence[str]]) -> None:
        self.deal, self.orders = deal, orders
        self.order, self.place = -1, 0
        self.is_new = True  # the next card leaves a pile that was just made

    def follow(self, effects: Sequence[Any], move: int) -> None:
        """Follow the cards' ways of one move (0: dealing)."""
        run: list[str] = []
        for card, source, target in effects:
            if source == "p":
                run.append(card)
            elif target == "p":
                self._take(run, move)
                run, self.is_new = [], True
        self._take(run, move)

    def _take(self, run: Sequence[str], move: int) -> None:
        """Check cards that left together, in any order among themselves: dealing has a pattern of its own."""
        if not run:
            return
        if self.is_new:
            self._begin(run)
        expected = self.orders[self.order][self.place : self.place + len(run)]
        self.place += len(run)
        if _are_same(expected, run):
            return
        should = next((card for card in expected if card not in run), "")
        has = next((card for card in run if card not in expected), run[0])
        key, at = ("wrong_turned", {"move": move}) if move else ("wrong_dealt", {})
        details: Values = {"deal": self.deal, **at, "expected": should, "found": _short(has)}
        raise Fault("view.order", key, details)

    def _begin(self, run: Sequence[str]) -> None:
        """Find the first later order that begins with these cards; the others were thrown in unseen."""
        later = range(self.order + 1, len(self.orders))
        fits = (order for order in later if _are_same(self.orders[order][: len(run)], run))
        self.order, self.place, self.is_new = next(fits, min(self.order + 1, len(self.orders) - 1)), 0, False


def _are_same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether these are the same cards, in any order."""
    if not all(isinstance(card, str) for card in (*one, *other)):
        raise TypeError("a card is a text")
    return sorted(one) == sorted(other)


def _flow(record: Any, view: Any) -> None:
    for number, (deal, shown) in enumerate(_pairs(record["deals"], view["deals"]), start=1):
        pile = _Pile(number, deal["orders"])
        pile.follow(shown["fx0"], 0)
        for move in shown["moves"]:
            pile.follow(move["fx"], move["m"])


# -- sums and places --------------------------------------------------------------------------------------------------


def _lines(record: Any, view: Any) -> None:
    for number, (deal, shown) in enumerate(_pairs(record["deals"], view["deals"]), start=1):
        for side, score in enumerate(deal["score"] or ()):
            should = sum(line["v"] for line in shown["lines"] if line["side"] == side)
            _equal(should, score, "view.lines", "wrong_lines", deal=number, side=side + 1)


def _equal(should: int, has: Any, code: str, key: str, **details: int) -> None:
    # type(): 1.0 and True would compare as equal.
    if type(has) is not int or should != has:
        raise Fault(code, key, {**details, "should": should, "has": _short(has)})


def _sides(record: Any) -> list[int]:
    return [int(seat["side"]) for seat in record["seats"]]


def _totals(record: Any, view: Any) -> None:
    sides = max(_sides(record)) + 1
    for figure, key in (("score", "wrong_score"), ("victories", "wrong_victories")):
        sums = [0] * sides
        for deal in record["deals"]:
            sums = list(map(add, sums, deal[figure] or [0] * sides))
        for side, (should, has) in enumerate(_pairs(sums, record["result"][figure]), start=1):
            _equal(should, has, "record.sum", key, side=side)
    scores = [deal["score"] or [0] * sides for deal in record["deals"]]
    running = accumulate(scores, lambda one, other: list(map(add, one, other)))
    for number, (sums, shown) in enumerate(_pairs(list(running), view["deals"]), start=1):
        for side, (should, has) in enumerate(_pairs(sums, shown["total"]), start=1):
            _equal(should, has, "view.total", "wrong_total", deal=number, side=side)


def _places(record: Any, view: Any) -> Check:
    """Check places by the figure that decides the match; forfeits come last, the later before the earlier."""
    try:
        won_at_once = any(line["code"] == "buttakuri" for line in view["deals"][-1]["lines"])
    except MALFORMED:
        return Check("places", {}, BAD, "record.malformed", "wrong_shape")
    if won_at_once:  # rules R88: it wins the match no matter what the points are
        return Check("places", state=OPEN, fault="no_rank")
    return _checked("places", partial(_ranked, record))


def _ranked(record: Any) -> None:
    result, sides = record["result"], _sides(record)
    by_victories = record["ruleset"]["options"].get("scoring") == "victories"
    figures = result["victories" if by_victories else "score"]
    gone: dict[int, tuple[int, int]] = {}
    for one in record["forfeits"]:
        side, when = sides[one["seat"]], (one["deal"], one["move"])
        gone[side] = min(gone.get(side, when), when)
    keys = [(0, *gone[side]) if side in gone else (1, figure, 0) for side, figure in enumerate(figures)]
    for side, (key, has) in enumerate(_pairs(keys, result["rank"]), start=1):
        _equal(1 + sum(other > key for other in keys), has, "record.rank", "wrong_place", side=side)


def decks() -> dict[str, list[str]]:
    """The cards of every game in code order, for the browser's twin."""
    return {game: list(codes(known.deck)) for game, known in GAMES.items()}
