"""Teams whose members sit apart: from teams to boards and back (tournaments.md section 7, no. 2).

A team has the same number of boards as every other. At tables of two a round pairs teams, and board i of the one meets
board i of the other, the first seat alternating by board. At larger tables every board is drawn for itself, and boards
of one team never share a table while there are as many teams as seats. Planners see teams, or boards called
"<team>/<board>"; stored plans name the team of every seat, and its board beside it (`Pod.boards`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from core.formats.errors import FormatError
from core.formats.model import Constraint, ConstraintKind, Entrant, Finished, Plan, Pod, Reason, Seats
from core.formats.schedules.quality import rescore
from engine.words import gettext_noop

HALF = Fraction(1, 2)
TOO_FEW = gettext_noop(
    "%(teams)d teams cannot sit at tables of %(seats)d without two members of one team sharing a table."
)
MENDED = gettext_noop("Seats were exchanged here so that no two of one team share a table.")
APART = gettext_noop("Nobody shares a table with somebody of their own team.")
Member = tuple[str, int]
"""A team and one of its boards, from 1."""


def name_of(team: str, board: int) -> str:
    """Return what planners call a board."""
    return f"{team}/{board}"


def member(name: str) -> Member:
    """The team and the board of such a name."""
    team, _slash, board = name.rpartition("/")
    return team, int(board)


def at_boards(plan: Plan, boards: int) -> Plan:
    """A round of teams as one of boards: board i of a pod's teams at a table of its own, tables in order."""
    pods = [
        _board(pod, place, number, boards) for place, pod in enumerate(plan.pods) for number in range(1, boards + 1)
    ]
    return replace(plan, pods=tuple(pods))


def _board(pod: Pod, place: int, number: int, boards: int) -> Pod:
    """One board of a meeting. The team that was drawn first has the first seat on odd boards."""
    # The first seat alternates by board, so that a meeting is fair no matter who was drawn first.
    seats = pod.seats if number % 2 else pod.seats[::-1]
    return replace(pod, table=place * boards + number, seats=seats, boards=(number,) * len(seats))


def as_meetings(plan: Plan) -> Plan:
    """A round of boards as one of teams: the tables of two teams are one pod, called by its first table."""
    groups: dict[frozenset[str], list[Pod]] = {}
    for pod in plan.pods:
        groups.setdefault(frozenset(pod.seats), []).append(pod)
    return replace(plan, pods=tuple(_meeting(pods) for pods in groups.values()))


def _meeting(pods: Sequence[Pod]) -> Pod:
    first = min(pods, key=lambda pod: pod.boards)
    seats = first.seats if not first.boards or first.boards[0] % 2 else first.seats[::-1]
    return replace(first, table=min(pod.table for pod in pods), seats=seats, boards=())


def ends_of_meetings(
    history: Sequence[Plan], finished: Iterable[Finished], *, by_meetings: bool = False
) -> list[Finished]:
    """Return how the meetings of stored rounds ended, as far as all their boards did: scores added up, the higher one
    first.

    by_meetings: a meeting is worth 1, 1/2 or 0, no matter what its boards were worth.
    """
    known = {(item.round, item.table): item for item in finished}
    found = []
    for plan in history:
        tables: dict[frozenset[str], list[Pod]] = defaultdict(list)
        for pod in plan.pods:
            tables[frozenset(pod.seats)].append(pod)
        for pods in tables.values():
            ends = [(pod, known[plan.round, pod.table]) for pod in pods if (plan.round, pod.table) in known]
            # A meeting without all of its boards has no end: its sum would still change.
            if len(ends) == len(pods):
                found.append(_end(plan.round, _meeting(pods), ends, by_meetings))
    return found


def _end(turn: int, meeting: Pod, ends: Sequence[tuple[Pod, Finished]], by_meetings: bool) -> Finished:
    sums = [sum((end.scores[pod.seats.index(team)] for pod, end in ends), Fraction(0)) for team in meeting.seats]
    away = [all(end.absent[pod.seats.index(team)] for pod, end in ends) for team in meeting.seats]
    places = tuple(1 + sum(other > own for other in sums) for own in sums)
    if by_meetings:
        sums = [HALF if places.count(1) > 1 else Fraction(place == 1) for place in places]
    return Finished(turn, meeting.table, places, tuple(sums), tuple(away))


def members_of(teams: Sequence[Entrant], boards: int) -> list[Entrant]:
    """Every board as an entrant with its team's score: all first boards, then all second ones, each by seed."""
    order = {item.entry: place for place, item in enumerate(sorted(teams, key=lambda item: (item.seed, item.entry)))}
    return [
        replace(item, entry=name_of(item.entry, board), seed=(board - 1) * len(order) + order[item.entry] + 1)
        for item in teams
        for board in range(1, boards + 1)
    ]


def by_member(plan: Plan) -> Plan:
    """A stored round with boards in place of teams."""
    pods = tuple(
        replace(pod, seats=tuple(name_of(*each) for each in zip(pod.seats, pod.boards, strict=True)), boards=())
        for pod in plan.pods
    )
    return replace(plan, pods=pods, byes=tuple(name_of(*each) for each in plan.boards_out), boards_out=())


def by_team(plan: Plan) -> Plan:
    """A round of boards as it is stored."""
    pods = []
    for pod in plan.pods:
        seated = [member(name) for name in pod.seats]
        pods.append(replace(pod, seats=tuple(team for team, _ in seated), boards=tuple(board for _, board in seated)))
    return replace(plan, pods=tuple(pods), byes=(), boards_out=tuple(member(name) for name in plan.byes))


def constraints_of(
    teams: Iterable[Entrant], boards: int, constraints: Sequence[Constraint] = ()
) -> tuple[Constraint, ...]:
    """No two of one team at a table; what is wished of teams holds for all their boards."""
    numbers = range(1, boards + 1)
    own = [
        Constraint(ConstraintKind.FORBID, tuple(name_of(item.entry, number) for number in numbers))
        for item in sorted(teams, key=lambda item: item.entry)
    ]
    others = [
        replace(item, entries=tuple(name_of(entry, number) for entry in item.entries for number in numbers))
        for item in constraints
    ]
    return (*others, *(own if boards > 1 else []))


def seats_for(seats: Seats, teams: int) -> Seats:
    """The sizes of tables at which that many teams can sit apart. Raises FormatError "entries.too_few" if none is."""
    if teams < seats.min:
        message = TOO_FEW % {"teams": teams, "seats": seats.min}
        raise FormatError(message, code="entries.too_few")
    most = min(seats.max, teams)
    return replace(seats, pref=min(seats.pref, most), max=most)


def separated(plans: Sequence[Plan], history: Sequence[Plan], constraints: Sequence[Constraint]) -> list[Plan]:
    """Rounds of boards (not stored ones) in which no two of one team share a table; figures are counted again.

    What the planner could not part is parted by exchanges, else the whole round is seated again. Needs as many teams as
    the largest table has seats.
    """
    parted = [_parted(plan) for plan in plans]
    if [plan.pods for plan in parted] == [plan.pods for plan in plans]:
        return [replace(plan, reasons=(*plan.reasons, Reason("boards.apart", APART))) for plan in plans]
    counted = rescore([*history, *parted], constraints)[len(history) :]
    reasons = (Reason("boards.apart", APART),)
    return [replace(plan, reasons=reasons) for plan in counted]


def _parted(plan: Plan) -> Plan:
    tables = [list(pod.seats) for pod in plan.pods]
    if not any(map(_mates, tables)):
        return plan
    out = list(plan.byes)
    # Ends: each exchange leaves at least one pair fewer together.
    while _exchange(tables):
        pass
    if any(map(_mates, tables)):
        tables, out = _reseated([len(table) for table in tables], [each for table in (*tables, out) for each in table])
    pods = tuple(
        pod if list(pod.seats) == seats else replace(pod, seats=tuple(seats), why=(Reason("boards.mended", MENDED),))
        for pod, seats in zip(plan.pods, tables, strict=True)
    )
    return replace(plan, pods=pods, byes=tuple(out))


def _mates(table: Sequence[str]) -> int:
    """Return how many pairs at a table are of one team."""
    counts = Counter(member(name)[0] for name in table)
    return sum(count * (count - 1) // 2 for count in counts.values())


def _exchange(tables: list[list[str]]) -> bool:
    """Do the first exchange of two seats that leaves fewer pairs of one team together. False if there is none."""
    for at, table in enumerate(tables):
        if not _mates(table):
            continue
        for other in (*tables[at + 1 :], *tables[:at]):
            before = _mates(table) + _mates(other)
            for here in range(len(table)):
                for there in range(len(other)):
                    table[here], other[there] = other[there], table[here]
                    if _mates(table) + _mates(other) < before:
                        return True
                    table[here], other[there] = other[there], table[here]
    return False


def _reseated(sizes: Sequence[int], names: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """Seat every team's boards at the tables with most room left, those with most boards first; the rest sits out.

    Those who sit out are of different teams while that goes. With no table larger than there are teams this parts all.
    """
    teams: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        teams[member(name)[0]].append(name)
    out = []
    for _ in range(len(names) - sum(sizes)):
        largest = max(sorted(teams), key=lambda team: len(teams[team]))
        out.append(teams[largest].pop())
    tables: list[list[str]] = [[] for _ in sizes]
    room = list(sizes)
    for team in sorted(teams, key=lambda team: (-len(teams[team]), team)):
        # The largest team first, always where most room is left: with no table larger than there are teams nobody is
        # left over.
        free = sorted(range(len(sizes)), key=lambda table: (-room[table], table))
        for table, name in zip(free, teams[team], strict=False):
            tables[table].append(name)
            room[table] -= 1
    return tables, out
