"""Input and output of planners: plain values, no database, no clock.

Identifiers are text: the public UUID of the row (tests use names). A *pod* is a planned match: the
entries that meet at one table, in seat order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from core.formats.errors import FormatError


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entry to be drawn. seed: initial order, 1 = strongest. is_active False: withdrawn, not drawn.

    score: what the stage ranks by first, as the standings have it now (carry-in and adjustments included). joined:
    first round it may be drawn for. excused: (round, what it is worth) of each round it sits out by arrangement, past
    and announced: 1/2 for a half-point bye, 0 for an absence. Planners order by (seed, entry), so the order in which
    entrants are passed in changes nothing.
    """

    entry: str
    seed: int
    is_active: bool = True
    score: Fraction = Fraction(0)
    joined: int = 1
    excused: tuple[tuple[int, Fraction], ...] = ()

    def plays(self, turn: int) -> bool:
        """Return whether it is to be drawn in round `turn`."""
        return self.is_active and self.joined <= turn and turn not in dict(self.excused)


@dataclass(frozen=True, slots=True)
class Seats:
    """Table sizes of a stage, 2 <= min <= pref <= max <= 7.

    bye_cost: what one bye costs against the sum of (size - pref)^2; None = never while it can be avoided.
    """

    min: int
    pref: int
    max: int
    bye_cost: int | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence about a choice. text is an English msgid with %(name)s places, args its values.

    The site shows `gettext(reason.text) % dict(reason.args)`; `str(reason)` is the English sentence.
    """

    code: str
    text: str
    args: tuple[tuple[str, str | int], ...] = ()

    def __str__(self) -> str:
        return self.text % dict(self.args)

    def to_json(self) -> dict[str, object]:
        """{"code", "text", "args": {name: value}}."""
        return {"code": self.code, "text": self.text, "args": dict(self.args)}

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Reason:
        """Read a reason back."""
        return Reason(str(document["code"]), str(document["text"]), tuple(document["args"].items()))


@dataclass(frozen=True, slots=True)
class Pod:
    """A planned match. table: 1-based number in the round. seats: entry per seat, seat 0 first.

    is_locked: already published or set by hand; planners take it as it is and only re-score it.
    label: which match of a bracket it is ("W1:3"); "" in other kinds. boards: where teams sit apart (`formats.boards`),
    of every seat which board of its team sits there; empty elsewhere. sides: where partners change
    (`formats.rotation`), the side of every seat; empty elsewhere.
    """

    table: int
    seats: tuple[str, ...]
    why: tuple[Reason, ...] = ()
    is_locked: bool = False
    label: str = ""
    boards: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()

    def to_json(self) -> dict[str, object]:
        """{"table", "seats", "why", "is_locked", "label"}; "boards" of teams apart, "sides" where partners change."""
        document: dict[str, object] = {
            "table": self.table,
            "seats": list(self.seats),
            "why": [reason.to_json() for reason in self.why],
            "is_locked": self.is_locked,
            "label": self.label,
        }
        document |= {"boards": list(self.boards)} if self.boards else {}
        return document | ({"sides": list(self.sides)} if self.sides else {})

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Pod:
        """Read a pod back."""
        return Pod(
            table=int(document["table"]),
            seats=tuple(document["seats"]),
            why=tuple(Reason.from_json(reason) for reason in document["why"]),
            is_locked=bool(document["is_locked"]),
            label=str(document.get("label", "")),
            boards=tuple(document.get("boards", ())),
            sides=tuple(document.get("sides", ())),
        )


@dataclass(frozen=True, slots=True)
class Quality:
    """Figures of the whole schedule up to and including this round; a recount gives the same.

    repeats: sum over pairs of C(meetings, 2). again: sum of max(0, meetings - 1). most: most meetings
    of a pair. seat_imbalance: largest spread, over entries, between their most and least used seat
    among the seats that all tables have. first_seat: largest |2 x first - games| at two seats.
    bye_imbalance: most byes of an entry minus fewest. broken: hard constraints that could not be kept.
    """

    repeats: int
    again: int
    most: int
    seat_imbalance: int
    first_seat: int
    bye_imbalance: int
    broken: int = 0


@dataclass(frozen=True, slots=True)
class Certificate:
    """Proof about a whole schedule: no schedule of these tables has fewer than `bound` repeats.

    bound = max(pigeonhole, averaging) (tournaments.md section 4). is_optimal only on equality: a bound
    may be out of reach, so a gap proves nothing.
    """

    repeats: int
    pigeonhole: int
    averaging: int
    method: str  # "berger", "design", "search"

    @property
    def bound(self) -> int:
        return max(self.pigeonhole, self.averaging)

    @property
    def is_optimal(self) -> bool:
        return self.repeats == self.bound


@dataclass(frozen=True, slots=True)
class Rotation:
    """Proof where partners change: about those who share a side, and those on different sides of one table.

    rounds: of how many rounds from the first on; more than are drawn where the rest was planned with them.
    """

    rounds: int
    partners: Certificate
    opponents: Certificate

    def to_json(self) -> dict[str, object]:
        """The fields by name, each certificate with its bound."""
        figures = {"partners": self.partners, "opponents": self.opponents}
        return {"rounds": self.rounds} | {name: {**asdict(it), "bound": it.bound} for name, it in figures.items()}

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Rotation:
        """Read the figures back."""
        found = {
            name: Certificate(**{key: value for key, value in document[name].items() if key != "bound"})
            for name in ("partners", "opponents")
        }
        return Rotation(int(document["rounds"]), **found)


@dataclass(frozen=True, slots=True)
class Plan:
    """One round. byes: entries that sit out. reasons: about the round as a whole.

    boards_out: where teams sit apart, single boards (entry, board) that sit out while others of their team play.
    rotation: where partners change.
    """

    round: int
    pods: tuple[Pod, ...]
    byes: tuple[str, ...]
    quality: Quality
    certificate: Certificate
    reasons: tuple[Reason, ...] = ()
    boards_out: tuple[tuple[str, int], ...] = ()
    rotation: Rotation | None = None

    def to_json(self) -> dict[str, object]:
        """JSON form for `Round.plan`: the fields by name; a reason is {"code", "text", "args"}.

        "boards_out" and "rotation" are there where they say something.
        """
        document: dict[str, object] = {
            "round": self.round,
            "pods": [pod.to_json() for pod in self.pods],
            "byes": list(self.byes),
            "quality": asdict(self.quality),
            "certificate": {**asdict(self.certificate), "bound": self.certificate.bound},
            "reasons": [reason.to_json() for reason in self.reasons],
        }
        document |= {"boards_out": [list(each) for each in self.boards_out]} if self.boards_out else {}
        return document | ({"rotation": self.rotation.to_json()} if self.rotation is not None else {})

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Plan:
        """Read a plan back, equal to the one written. Raises FormatError "plan.format"."""
        try:
            certificate = {name: value for name, value in document["certificate"].items() if name != "bound"}
            return Plan(
                round=int(document["round"]),
                pods=tuple(Pod.from_json(pod) for pod in document["pods"]),
                byes=tuple(document["byes"]),
                quality=Quality(**document["quality"]),
                certificate=Certificate(**certificate),
                reasons=tuple(Reason.from_json(reason) for reason in document["reasons"]),
                boards_out=tuple((str(entry), int(board)) for entry, board in document.get("boards_out", ())),
                rotation=Rotation.from_json(document["rotation"]) if document.get("rotation") else None,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            message = f"not the plan of a round ({error!r}): draw the round again"
            raise FormatError(message, code="plan.format") from error


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a planned match, as planners that look at results read it.

    Each tuple follows the pod's seats. places: 1-based, equal ones are shared. scores: won here, in what the stage
    ranks by first. absent: did not turn up, so that nothing was played; a forfeit in play just has the last place.
    ties: what tells equal places and scores of a knock-out match apart, the smaller first. by_lots: lots tell the rest.
    """

    round: int
    table: int
    places: tuple[int, ...]
    scores: tuple[Fraction, ...]
    absent: tuple[bool, ...]
    ties: tuple[tuple[Fraction, ...], ...] = ()
    by_lots: bool = False


class ConstraintKind(StrEnum):
    """Kind of a wish about entries sharing a table."""

    FORBID = "forbid"  # these entries never share a table (hard)
    TOGETHER = "together"  # they share one (hard); only kinds of Swiss that pair by their own rules know it
    AVOID = "avoid"  # a shared table costs `weight` repeats
    SEPARATE = "separate"  # as AVOID, for a group such as a club


@dataclass(frozen=True, slots=True)
class Constraint:
    """A wish about every pair of `entries`. wish: whose it is ("club", "pair"), so that a reason can name it.

    first, last: the rounds in which it holds; last 0: to the end. Only kinds of Swiss look at them.
    """

    kind: ConstraintKind
    entries: tuple[str, ...]
    weight: int = 4
    wish: str = ""
    first: int = 1
    last: int = 0

    def holds(self, turn: int) -> bool:
        """Return whether it holds in round `turn`."""
        return self.first <= turn and (not self.last or turn <= self.last)


class Priority(StrEnum):
    """What a draw of a Swiss is to keep, in the organiser's order."""

    REPEATS = "repeats"  # nobody meets anybody twice
    CLUBS = "clubs"  # those who are to be kept apart (club mates, couples) do not meet
    SCORES = "scores"  # equal scores meet


@dataclass(frozen=True, slots=True)
class DrawRules:
    """An organiser's rules for the draws of a Swiss; the defaults draw as the format does on its own.

    priorities: all three, the most important first; each is kept before the next one is looked at. Empty: the format's
    own (at tables a meeting of two to be kept apart counts as four repeats, and scores come last; at two seats repeats
    come first, then scores and wishes together). leader_tables: how many tables are filled by rank in the last rounds
    (`Shape.leaders`), 0 for all. leader_first: the table of the best-placed is number 1, and so on; else tables are
    numbered by the mean rank. accelerated: in how many of the first rounds the upper half of the seeds counts as
    having more (`swiss.acceleration`).
    """

    priorities: tuple[Priority, ...] = ()
    leader_tables: int = 1
    leader_first: bool = False
    accelerated: int = 0

    def __post_init__(self) -> None:
        """Raise FormatError "draw.priorities" unless each priority is named once, or none."""
        if self.priorities and sorted(self.priorities) != sorted(Priority):
            message = f"name each of {', '.join(Priority)} once, the most important first"
            raise FormatError(message, code="draw.priorities")


@dataclass(frozen=True, slots=True)
class Shape:
    """Demands of a stage on its format. rounds: how many; for a round robin the cycles, for lives the lives.

    bye: place share of a bye given by the draw. locked: pods of the next round that were set by hand; the rest is
    drawn around them. advance: how many of a table go on (elimination) or keep their life (lives). third_place: a match
    of the beaten semifinalists (single elimination at two seats). consolation: there, a knock-out of those who lose
    in the first round. sides: of every seat of a table, where several
    entries share one; empty where every seat is a side. leaders: in how many of the last rounds the leaders meet,
    anyone who has met before. draw: further rules of the organiser. Both only where `Format.takes_draw_rules`. flows:
    of a bracket: matches are drawn one by one, so a round of `history` may have grown after later ones began.
    """

    seats: Seats
    rounds: int = 1
    bye: Fraction = Fraction(1)
    locked: tuple[Pod, ...] = ()
    advance: int = 1
    third_place: bool = False
    sides: tuple[int, ...] = ()
    leaders: int = 0
    draw: DrawRules = DrawRules()
    flows: bool = False
    consolation: bool = False


@dataclass(frozen=True, slots=True)
class StageSoFar:
    """Everything that a format draws from. entries: all; history: the rounds drawn, finished: how their matches ended.

    constraints: what is wished about who sits together. open: of a bracket the (round, table) of drawn matches that are
    still to end; None: every round of `history` is over.
    """

    entries: Sequence[Entrant]
    shape: Shape
    history: Sequence[Plan] = ()
    finished: Sequence[Finished] = ()
    constraints: Sequence[Constraint] = ()
    open: frozenset[tuple[int, int]] | None = None
