"""Remarks on the rows of a crosstable: rounds without a table, and who else played in an entry's place.

Rounds come from the terms of the stored standings, so that no plan of a long stage is read for a page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.phrasing import listed
from core.standings.model import UnplayedKind
from tournaments.models import Entry, Match, RequestedBye, Seat, Stage, StageEntry, Standing

OWN_ROUNDS: Final = frozenset({"points", "above_mean", "victories", "place"})
"""Figures whose terms are the entry's own rounds, one of which every table has."""
GONE: Final = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)


class RemarkKind(StrEnum):
    """What a remark says: the code of programs."""

    BYE = "bye"  # given by the draw
    REQUESTED_BYE = "requested_bye"  # by arrangement, worth something
    SAT_OUT = "sat_out"  # by arrangement, worth nothing
    ABSENT = "absent"  # without arrangement
    SUBSTITUTED = "substituted"  # somebody else sat in these rounds
    JOINED = "joined"  # came late: the first round for which they were there
    LEFT = "left"  # withdrew: the first round without them, if the stage is drawn round by round
    DISQUALIFIED = "disqualified"


Span = tuple[int, int | None]
"""The first round for which an entry was there, and the first without it after it withdrew."""
WORTHS: Final = {UnplayedKind.HALF: "1/2", UnplayedKind.FULL: "1"}


@dataclass(frozen=True, slots=True)
class Remark:
    """One remark. rounds: in order; worth: of a requested bye, "1/2" or "1"; name: of who sat there instead."""

    kind: RemarkKind
    rounds: tuple[int, ...] = ()
    worth: str = ""
    name: str = ""

    @property
    def text(self) -> str:
        """The remark in words, as pages show it and screen readers read it."""
        if self.kind is RemarkKind.JOINED:
            return _("from round %(n)s on") % {"n": self.rounds[0]}
        if self.kind in (RemarkKind.LEFT, RemarkKind.DISQUALIFIED):
            return self._end()
        shown = {"rounds": listed(self.rounds), "what": self._what()}
        return ngettext("round %(rounds)s: %(what)s", "rounds %(rounds)s: %(what)s", len(self.rounds)) % shown

    def _end(self) -> str:
        if self.kind is RemarkKind.DISQUALIFIED:
            return _("disqualified")
        if not self.rounds:
            return _("withdrawn")
        return _("withdrawn before round %(n)s") % {"n": self.rounds[0]}

    def _what(self) -> str:
        match self.kind:
            case RemarkKind.BYE:
                return _("bye")
            case RemarkKind.REQUESTED_BYE if self.worth == "1":
                return _("requested bye, counts as a win")
            case RemarkKind.REQUESTED_BYE:
                return _("requested bye, counts as a tie")
            case RemarkKind.SAT_OUT:
                return _("sat out by arrangement")
            case RemarkKind.SUBSTITUTED:
                return _("%(name)s played") % {"name": self.name}
        return _("absent")


def remarks_of(stage: Stage, rows: Sequence[Standing]) -> dict[int, tuple[Remark, ...]]:
    """Return the remarks on these rows of the present table, by entry (its key). Three queries, one where bots play."""
    pks = [row.entry_id for row in rows]
    spans = StageEntry.objects.filter(stage=stage, entry__in=pks).values_list("entry", "joined_round", "left_round")
    there: dict[int, Span] = {pk: (joined, left) for pk, joined, left in spans}
    # Also those worth nothing, which the terms call absent.
    byes = RequestedBye.objects.filter(stage=stage, entry__in=pks) if stage.tournament.is_of_people else ()
    arranged = {(bye.entry_id, bye.round_number) for bye in byes}
    others = _others(stage, pks)
    found = {}
    for row in rows:
        span = there.get(row.entry_id, (1, None))
        joined = [Remark(RemarkKind.JOINED, (span[0],))] if span[0] > 1 else []
        away = (*_unplayed(row, span, arranged), *_gone(stage, row.entry, span[1]))
        found[row.entry_id] = (*joined, *others.get(row.entry_id, ()), *away)
    return found


def _gone(stage: Stage, entry: Entry, left: int | None) -> Iterator[Remark]:
    """Yield that an entry is no longer there."""
    if entry.state == Entry.State.DISQUALIFIED:
        yield Remark(RemarkKind.DISQUALIFIED)
    # Who left after this stage was signed has no `left_round` in it: it is no remark on this table.
    elif left is not None and entry.state in GONE:
        # Where all rounds are drawn at once the number says nothing of when they left.
        yield Remark(RemarkKind.LEFT, (left,) if stage.format.is_round_by_round else ())


def _unplayed(row: Standing, span: Span, arranged: set[tuple[int, int]]) -> Iterator[Remark]:
    """Yield the rounds without a table, as the terms of the table have them; those before and after are said once."""
    joined, left = span
    found: dict[tuple[RemarkKind, str], list[int]] = defaultdict(list)
    for number, note in sorted(_notes(row.explanation).items()):
        is_arranged = (row.entry_id, number) in arranged
        if note == UnplayedKind.BYE:
            found[RemarkKind.BYE, ""].append(number)
        elif note in WORTHS:
            found[RemarkKind.REQUESTED_BYE, WORTHS[UnplayedKind(note)]].append(number)
        elif joined <= number and (left is None or number < left):
            found[RemarkKind.SAT_OUT if is_arranged else RemarkKind.ABSENT, ""].append(number)
    for (kind, worth), numbers in found.items():
        yield Remark(kind, tuple(numbers), worth)


def _notes(explanation: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return, by round, why an entry sat at no table."""
    line = next((each for each in explanation if each["tie_break"] in OWN_ROUNDS), None)
    kinds = set(UnplayedKind)
    terms = line["terms"] if line is not None else ()
    return {term["round"]: term["note"] for term in terms if not term.get("match") and term.get("note") in kinds}


def _others(stage: Stage, pks: Sequence[int]) -> dict[int, list[Remark]]:
    """Return, by entry, who sat in its place before somebody else took it over. Of teams the members always do."""
    event = stage.tournament
    if not event.is_of_people or event.partners or event.boards:
        return {}
    seats = Seat.objects.filter(match__stage=stage, match__state=Match.State.CONFIRMED, entry__in=pks)
    seats = seats.exclude(player=None).exclude(player=F("entry__player")).order_by("match__round__number")
    rounds: dict[tuple[int, str], list[int]] = defaultdict(list)
    for pk, name, number in seats.values_list("entry", "player__name", "match__round__number").distinct():
        rounds[pk, name].append(number or 1)
    found: dict[int, list[Remark]] = defaultdict(list)
    for (pk, name), numbers in rounds.items():
        found[pk].append(Remark(RemarkKind.SUBSTITUTED, tuple(numbers), name=name))
    return found
