"""Parts of a bracket: matches whose seats are an entry, a bye, or a feed ("place p of match m").

The whole bracket is known at the draw. Everything that changes with results (who sits where, what is over) is worked
out again from the finished matches by `advance`, so taking a result back needs nothing of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from core.formats.errors import FormatError
from core.formats.model import Reason


class Kind(StrEnum):
    """Number of lost matches after which an entry is out."""

    SINGLE = "single"
    DOUBLE = "double"


class State(StrEnum):
    """Progress of a match of the bracket."""

    WAITING = "waiting"  # a feed is open
    READY = "ready"  # everybody is known
    LEVEL = "level"  # played, and nothing tells yet who of those who are level goes on
    WALKOVER = "walkover"  # so few are left that all of them go on
    FINISHED = "finished"
    EMPTY = "empty"  # byes only
    UNNEEDED = "unneeded"  # a second final after which nobody asks


OVER = frozenset({State.WALKOVER, State.FINISHED, State.EMPTY, State.UNNEEDED})


@dataclass(frozen=True, slots=True)
class Feed:
    """A seat for the entry that takes this place (1 = best) in that match."""

    match: str
    place: int


Source = str | Feed | None
"""An entry, a feed, or None: a bye."""


@dataclass(frozen=True, slots=True)
class BracketSeat:
    """source: fixed by the draw. entry: who sits here as far as known; known and None: nobody (a bye)."""

    source: Source
    entry: str | None = None
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match. round: W1.. upper, L1.. lower bracket, F1 final of both, F2 its reset, C1 third place.

    advance: how many best places go on. order: entries by place once it is over, None = nobody goes there.
    after, unbeaten: of F2: it is played unless one of the first `unbeaten` seats of match `after` came first there.
    notes: why places were decided as they are, beyond the result. level: of a match that waits for a decision, those
    who are level; room: how many of them go on. shared: groups that share a place which leads nowhere else.
    """

    round: str
    number: int
    seats: tuple[BracketSeat, ...]
    advance: int = 1
    after: str = ""
    unbeaten: int = 0
    why: Reason | None = None
    state: State = State.WAITING
    order: tuple[str | None, ...] = ()
    notes: tuple[Reason, ...] = ()
    level: tuple[str, ...] = ()
    room: int = 0
    shared: tuple[tuple[str, ...], ...] = ()

    @property
    def id(self) -> str:
        """Return the name of the match in the bracket: "W1:3"."""
        return f"{self.round}:{self.number}"

    @property
    def entries(self) -> tuple[str, ...]:
        """Return who sits here, as far as known, in seat order."""
        return tuple(seat.entry for seat in self.seats if seat.entry is not None)

    @property
    def is_over(self) -> bool:
        """Return whether everybody who leaves it is known."""
        return self.state in OVER

    def to_json(self) -> dict[str, object]:
        """Return the drawn part; what results change is worked out again."""
        return {
            "round": self.round,
            "number": self.number,
            "seats": [_source_json(seat.source) for seat in self.seats],
            "advance": self.advance,
            "after": self.after,
            "unbeaten": self.unbeaten,
            "why": self.why.to_json() if self.why else None,
        }

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> BracketMatch:
        """Read a match back."""
        return BracketMatch(
            round=str(document["round"]),
            number=int(document["number"]),
            seats=tuple(BracketSeat(_source(item)) for item in document["seats"]),
            advance=int(document["advance"]),
            after=str(document["after"]),
            unbeaten=int(document["unbeaten"]),
            why=Reason.from_json(document["why"]) if document["why"] else None,
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a bracket at the draw.

    least, most: matches that will be played, without and with a second final. byes: entries that need not play the
    first round. clashes: pairs wished apart that meet in their first match at the latest. rematch: earliest round in
    which two who have met may meet again ("" = never).
    """

    least: int
    most: int
    byes: int
    clashes: int
    rematch: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a match of a bracket. The tuples follow `entries`.

    places: 1-based; equal ones are told apart by scores, then by ties: by entry what was compared after those, the
    smaller first (points; the place in each extra deal; a decision). Who is level after all of that waits for a
    decision if not all of them go on. by_lots: as was the rule once, lots tell the rest apart. absent: lost without
    playing; nobody absent goes on. stands: counts although a correction has put others into this match since.
    """

    match: str
    entries: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[Fraction, ...] = ()
    absent: tuple[bool, ...] = ()
    stands: bool = False
    ties: tuple[tuple[Fraction, ...], ...] = ()
    by_lots: bool = False


@dataclass(frozen=True, slots=True)
class Bracket:
    """A drawn bracket and how far it is. matches: in an order in which every feed comes before its seat.

    seats: of the largest table. entries: in the order of the draw, the strongest first. lots: decides between equal
    places and points. finished, gone: the results that count and who has left, as `advance` was told. stale: results
    that no longer fit who sits there, after a correction.
    """

    kind: Kind
    seats: int
    entries: tuple[str, ...]
    matches: tuple[BracketMatch, ...]
    lots: str = ""
    reasons: tuple[Reason, ...] = ()
    figures: Figures = Figures(0, 0, 0, 0, "")
    finished: tuple[Ended, ...] = ()
    gone: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()

    @property
    def rounds(self) -> tuple[str, ...]:
        """Labels in the order of play."""
        return tuple(dict.fromkeys(match.round for match in self.matches))

    @property
    def is_over(self) -> bool:
        """Return whether nothing is left to be played."""
        return all(match.is_over for match in self.matches)

    @property
    def ready(self) -> tuple[BracketMatch, ...]:
        """Return what can be played now."""
        return tuple(match for match in self.matches if match.state is State.READY)

    @property
    def doubled(self) -> tuple[str, ...]:
        """Entries due in two matches at once, which only a result kept after a correction can bring about."""
        due = Counter(entry for match in self.matches if not match.is_over for entry in match.entries)
        return tuple(sorted(entry for entry, count in due.items() if count > 1))

    @property
    def level(self) -> tuple[BracketMatch, ...]:
        """Return what was played and waits for a decision about who goes on."""
        return tuple(match for match in self.matches if match.state is State.LEVEL)

    def match(self, name: str) -> BracketMatch:
        """The match of that id. Raises FormatError "bracket.match"."""
        for match in self.matches:
            if match.id == name:
                return match
        raise FormatError(f"the bracket has no match {name!r}; its rounds are {self.rounds}", code="bracket.match")

    def to_json(self) -> dict[str, object]:
        """The draw. Results are not part of it: `advance` puts them in again."""
        return {
            "kind": self.kind.value,
            "seats": self.seats,
            "entries": list(self.entries),
            "matches": [match.to_json() for match in self.matches],
            "lots": self.lots,
            "reasons": [reason.to_json() for reason in self.reasons],
            "figures": asdict(self.figures),
        }

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Bracket:
        """Read a draw back, to be advanced. Raises FormatError "bracket.format"."""
        try:
            return Bracket(
                kind=Kind(document["kind"]),
                seats=int(document["seats"]),
                entries=tuple(document["entries"]),
                matches=tuple(BracketMatch.from_json(item) for item in document["matches"]),
                lots=str(document["lots"]),
                reasons=tuple(Reason.from_json(item) for item in document["reasons"]),
                figures=Figures(**document["figures"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            message = f"not a bracket ({error!r}): draw the stage again"
            raise FormatError(message, code="bracket.format") from error


def _source_json(source: Source) -> object:
    if isinstance(source, Feed):
        return {"match": source.match, "place": source.place}
    return source


def _source(document: Any) -> Source:
    if isinstance(document, Mapping):
        return Feed(str(document["match"]), int(document["place"]))
    return None if document is None else str(document)
