"""Groups of a stage side by side: of equal strength, each planned alone; a round holds the tables of all.

Table numbers are unique in a round: those of a group follow those of the groups before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.formats.errors import FormatError
from core.formats.model import Certificate, Constraint, Entrant, Finished, Plan, Pod, Quality, Rotation
from core.formats.schedules.quality import rescore

# The groups of a stage: entries by UUID, by seed. Empty for a stage of one group.
Pools = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Course:
    """A stage so far, as planners see it. entrants by seed; history: every round that was drawn.

    constraints: entries kept apart: club mates; those of one group of the stage before meet late. open: as of
    `StageSoFar`.
    """

    entrants: tuple[Entrant, ...]
    history: tuple[Plan, ...]
    finished: tuple[Finished, ...]
    pools: Pools = ()
    constraints: tuple[Constraint, ...] = ()
    open: frozenset[tuple[int, int]] | None = None

    def of_pool(self, number: int) -> Course:
        """Return the same of one of the groups alone."""
        members = set(self.pools[number])
        history = tuple(own_history(self.history, members))
        return Course(
            tuple(item for item in self.entrants if item.entry in members),
            history,
            tuple(own_finished(history, self.finished)),
            (),
            _among(members, self.constraints),
            self.open,
        )


def _among(members: set[str], constraints: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """Return the wishes about two or more of these."""
    cut = (replace(item, entries=tuple(each for each in item.entries if each in members)) for item in constraints)
    return tuple(item for item in cut if len(item.entries) > 1)


def own_history(history: Sequence[Plan], members: Collection[str]) -> list[Plan]:
    """The rounds of one group: its own tables, with the numbers they have in the round of all."""
    wanted = set(members)
    own = [
        replace(
            plan,
            pods=tuple(pod for pod in plan.pods if wanted.issuperset(pod.seats)),
            byes=tuple(entry for entry in plan.byes if entry in wanted),
            boards_out=tuple(each for each in plan.boards_out if each[0] in wanted),
        )
        for plan in history
    ]
    return [plan for plan in own if plan.pods or plan.byes]


def own_finished(history: Sequence[Plan], finished: Sequence[Finished]) -> list[Finished]:
    """Return how the tables of this history ended."""
    known = {(plan.round, pod.table) for plan in history for pod in plan.pods}
    return [item for item in finished if (item.round, item.table) in known]


def together(parts: Sequence[Sequence[Plan]]) -> list[Plan]:
    """The rounds of all groups, in the order of the groups; a group with fewer rounds rests at the end."""
    by_round: dict[int, list[Plan]] = defaultdict(list)
    for part in parts:
        for plan in part:
            by_round[plan.round].append(plan)
    return [_joined(number, plans) for number, plans in sorted(by_round.items())]


def rescored(
    history: Sequence[Plan], groups: Sequence[Collection[str]], constraints: Sequence[Constraint] = ()
) -> list[Plan]:
    """The rounds with figures and certificates counted again, each group on its own; tables keep their numbers."""
    parts = [own_history(history, members) for members in groups] or [list(history)]
    by_round: dict[int, list[Plan]] = defaultdict(list)
    for part in parts:
        for plan in rescore(part, constraints):
            by_round[plan.round].append(plan)
    return [
        replace(
            plan,
            quality=_quality([own.quality for own in by_round[plan.round]]),
            certificate=_certificate([own.certificate for own in by_round[plan.round]]),
            rotation=_rotation(by_round[plan.round]),
        )
        for plan in history
    ]


def _joined(number: int, plans: Sequence[Plan]) -> Plan:
    pods: list[Pod] = []
    for plan in plans:
        before = len(pods)
        pods += [replace(pod, table=before + place) for place, pod in enumerate(plan.pods, start=1)]
    byes = tuple(entry for plan in plans for entry in plan.byes)
    reasons = tuple(dict.fromkeys(reason for plan in plans for reason in plan.reasons))
    quality = _quality([plan.quality for plan in plans])
    out = tuple(each for plan in plans for each in plan.boards_out)
    certificate = _certificate([plan.certificate for plan in plans])
    return Plan(number, tuple(pods), byes, quality, certificate, reasons, out, _rotation(plans))


def _rotation(plans: Sequence[Plan]) -> Rotation | None:
    """Return the proof where partners change: those of the groups add up."""
    each = [plan.rotation for plan in plans if plan.rotation is not None]
    if not each:
        return None
    partners = _certificate([item.partners for item in each])
    return Rotation(max(item.rounds for item in each), partners, _certificate([item.opponents for item in each]))


def _quality(each: Sequence[Quality]) -> Quality:
    """Join the figures of groups: counts add up, spreads are the widest."""
    return Quality(
        repeats=sum(item.repeats for item in each),
        again=sum(item.again for item in each),
        most=max(item.most for item in each),
        seat_imbalance=max(item.seat_imbalance for item in each),
        first_seat=max(item.first_seat for item in each),
        bye_imbalance=max(item.bye_imbalance for item in each),
        broken=sum(item.broken for item in each),
    )


def _certificate(each: Sequence[Certificate]) -> Certificate:
    """Join certificates: bounds of groups that never meet add up."""
    return Certificate(
        repeats=sum(item.repeats for item in each),
        # The better bound of each group: the sum of maxima is above the maximum of the sums.
        pigeonhole=sum(item.bound for item in each),
        averaging=sum(item.averaging for item in each),
        method=each[0].method,
    )


def snake(entries: Sequence[Entrant], groups: int) -> list[list[Entrant]]:
    """Groups by seed, there and back: 1 2 3 / 6 5 4 / 7 8 9; sizes differ by at most one.

    Raises FormatError "groups.count" unless every group gets an entry.
    """
    if not 1 <= groups <= len(entries):
        message = f"{groups} groups of {len(entries)} entries: choose between 1 and {len(entries)}"
        raise FormatError(message, code="groups.count")
    order = sorted(entries, key=lambda item: (item.seed, item.entry))
    out: list[list[Entrant]] = [[] for _ in range(groups)]
    for rank, item in enumerate(order):
        turn, step = divmod(rank, groups)
        out[step if turn % 2 == 0 else groups - 1 - step].append(item)
    return out
