"""Rotating partners: individuals are ranked, and in every round they share a side with somebody else.

A partner at most once while it can be had, then opponents as even as can be: 1 an exact design where there is one
(`rotation_designs`); 2 else a search (`rotation_search`), also from designs; 3 a certificate with bounds
(`rotation_figures`). All rounds are planned together and handed out one by one: anyone who comes late or leaves changes
only what is not drawn. As long as the same people play, the plan is followed; after a change the rest is planned again
around what was played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from core.formats.errors import FormatError
from core.formats.model import Constraint, ConstraintKind, Entrant, Finished, Plan, Pod, Reason, Shape, StageSoFar
from core.formats.rotation.course import Ahead, Planned, Rows, plan_ahead
from core.formats.rotation.designs import whist
from core.formats.rotation.figures import bound_of_partners, opponents_in, partners_in, rotation_of, sides_at
from core.formats.rotation.seats import seated, seats_used
from core.formats.rotation.words import SITTING_OUT, about_round, pairs_apart, why
from core.formats.schedules.quality import Drawn, certify, counter_of, pair
from core.formats.stage_format import Format
from core.formats.swiss.scores import next_field
from core.formats.swiss.standing_order import numbered
from engine.words import Counted, gettext_noop, ngettext

HARD = 1000
SET_BY_HAND = gettext_noop("Set by hand.")
Turn = tuple[tuple[tuple[tuple[str, ...], ...], ...], tuple[str, ...]]
"""A planned round: its tables, of each the sides; who sits out."""


@dataclass(frozen=True, slots=True)
class _Field:
    """The players of the rounds from `start` on, in the order of the lot; before: the rounds that are given."""

    names: tuple[str, ...]
    start: int
    before: tuple[Plan, ...]
    seed: str


class RotatingPartners(Format):
    """See the module."""

    id = "rotation"
    name = gettext_noop("Rotating partners")
    label = gettext_noop("rotating partners")
    description = gettext_noop(
        "Everybody is ranked individually; in every round they share a side with somebody else, with a new"
        " partner as long as possible."
    )
    seat_range = (2, 3)
    needs_results = True
    takes_late_entries = True
    honours_clubs = True
    changes_partners = True

    def rounds(self, entries: int, shape: Shape) -> int:
        """Return as many as asked for."""
        return shape.rounds if entries >= shape.seats.pref else 0

    def sentence(self, shape: Shape) -> Counted:
        """Return how many rounds."""
        return ngettext("%(n)d round with a partner", "%(n)d rounds, each with another partner", shape.rounds)

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """Plan the round after `history`, or none after the last.

        Raises FormatError "rotation.sides" where nobody shares a side, "entries.too_few" if no table can be filled,
        "plan.locked".
        """
        whole = self.ahead(stage, rng)
        return whole[:1]

    def ahead(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """Plan the round that `schedule` gives, and all rounds after it as they are planned now."""
        shape, history = stage.shape, stage.history
        members_of(shape.sides)
        token, turn = rng.getrandbits(64), len(history) + 1
        if turn > shape.rounds:
            return []
        drawn = next_field(stage.entries, turn, shape, len(shape.sides))
        names = [item.entry for item in drawn]
        start = _start_of(names, history)
        field = _field(names, start, history[: start - 1], token)
        turns, method = _planned(field, stage.entries, shape, stage.finished, stage.constraints)
        # The plan is made again from its first round. If the rounds drawn so far are the same, it is still followed;
        # after a swap by hand it is not, and the rest is planned around what was played.
        follows = [_who(each) for each in turns[: turn - start]] == [_drawn_of(plan) for plan in history[start - 1 :]]
        if shape.locked or not follows:
            field = _field(names, turn, history, token)
            turns, method = _planned(field, stage.entries, shape, stage.finished, stage.constraints)
        return _plans(turns[turn - field.start :], method, drawn, shape, history, stage.constraints)


def members_of(sides: Sequence[int]) -> int:
    """Return how many share a side. Raises FormatError "rotation.sides" unless several do, and as many on each."""
    sizes = set(Counter(sides).values())
    if len(sizes) != 1 or sizes == {1} or len(set(sides)) < 2:
        message = "rotating partners need sides of two or three at a table; choose teams that the seats fit"
        raise FormatError(message, code="rotation.sides")
    return sizes.pop()


def _start_of(names: Sequence[str], history: Sequence[Plan]) -> int:
    """Return the first round since which those who play now, and nobody else, have played."""
    start, now = len(history) + 1, set(names)
    for plan in reversed(history):
        if _everybody(plan) != now:
            break
        start = plan.round
    return start


def _everybody(plan: Plan) -> set[str]:
    return {entry for pod in plan.pods for entry in pod.seats} | set(plan.byes)


def _field(names: Sequence[str], start: int, before: Sequence[Plan], token: int) -> _Field:
    """Order the players by lot, with another lot for each round in which a plan begins."""
    # From a fixed order, so that the lot depends on the people and not on how they were listed.
    order = sorted(names)
    seed = f"{token}/{start}"
    Random(seed).shuffle(order)
    return _Field(tuple(order), start, tuple(before), seed)


def _planned(
    field: _Field,
    entries: Sequence[Entrant],
    shape: Shape,
    finished: Sequence[Finished],
    constraints: Sequence[Constraint],
) -> tuple[list[Turn], str]:
    """Return the rounds from `field.start` on, and how they were found. Around pods set by hand only the next one."""
    members = members_of(shape.sides)
    pods = _played(field.before, finished)
    rounds = 1 if shape.locked else shape.rounds - field.start + 1
    found = plan_ahead(
        Ahead(
            members=members,
            sides=len(shape.sides) // members,
            rounds=rounds,
            byes=_byes(field, entries),
            partnered=_rows(field.names, partners_in(pods)),
            opposed=_rows(field.names, opponents_in(pods)),
            separated=_rows(field.names, _weights(constraints, hard_only=False)),
            forbidden=_rows(field.names, _weights(constraints, hard_only=True)),
            seed=field.seed,
        )
    )
    return _named(found, field.names, members), found.method


def _played(history: Sequence[Plan], finished: Sequence[Finished]) -> list[Pod]:
    """Return the tables at which people sat together: not those struck out, or to which somebody did not come.

    A round of which nothing is known counts as drawn.
    """
    whole = {(item.round, item.table): not any(item.absent) for item in finished}
    known = {number for number, _table in whole}
    every = ((plan.round, pod) for plan in history for pod in plan.pods)
    return [pod for number, pod in every if whole.get((number, pod.table), number not in known)]


def _byes(field: _Field, entries: Sequence[Entrant]) -> tuple[int, ...]:
    """Count byes; who came late counts as having had as many as those who have had fewest."""
    had = Counter(entry for plan in field.before for entry in plan.byes)
    late = {item.entry for item in entries if item.joined > 1}
    fewest = min((had[name] for name in field.names if name not in late), default=0)
    return tuple(max(had[name], fewest) if name in late else had[name] for name in field.names)


def _rows(names: Sequence[str], times: Counter[tuple[str, str]]) -> Rows:
    return tuple(tuple(times[pair(one, other)] if one != other else 0 for other in names) for one in names)


def _weights(constraints: Sequence[Constraint], *, hard_only: bool) -> Counter[tuple[str, str]]:
    """Return who is not to be partners: all who are to be kept apart. Who never is to share a table: only FORBID."""
    apart: Counter[tuple[str, str]] = Counter()
    for item in constraints:
        if item.kind is ConstraintKind.FORBID or not hard_only:
            for two in combinations(sorted(set(item.entries)), 2):
                apart[two] += HARD
    return apart


def _named(found: Planned, names: Sequence[str], members: int) -> list[Turn]:
    turns: list[Turn] = []
    for tables, out in zip(found.rounds, found.out, strict=True):
        people = [[names[each] for each in table] for table in tables]
        sides = tuple(
            tuple(tuple(table[at : at + members]) for at in range(0, len(table), members)) for table in people
        )
        turns.append((sides, tuple(names[each] for each in out)))
    return turns


def _who(turn: Turn) -> tuple[frozenset[frozenset[frozenset[str]]], frozenset[str]]:
    """Return who plays with whom against whom, and who sits out, in no order."""
    tables, out = turn
    return frozenset(frozenset(map(frozenset, table)) for table in tables), frozenset(out)


def _drawn_of(plan: Plan) -> tuple[frozenset[frozenset[frozenset[str]]], frozenset[str]]:
    return _who((tuple(tuple(sides_at(pod)) for pod in plan.pods), plan.byes))


def _plans(
    turns: Sequence[Turn],
    method: str,
    drawn: Sequence[Entrant],
    shape: Shape,
    history: Sequence[Plan],
    constraints: Sequence[Constraint],
) -> list[Plan]:
    """Make plans with seats, figures of the rounds so far, and the proof about all that is planned."""
    locked = [
        replace(pod, sides=shape.sides, why=(Reason("rotation.locked", SET_BY_HAND),), is_locked=True)
        for pod in shape.locked
    ]
    rounds = _seated(turns, drawn, shape, history, locked)
    given: list[Drawn] = [(plan.pods, plan.byes) for plan in history]
    whole = rotation_of([*given, *rounds], method)
    before = [pod for plan in history for pod in plan.pods]
    tally, plans, apart = counter_of(history), [], pairs_apart(constraints)
    for number, (pods, byes) in enumerate(rounds, start=len(history) + 1):
        explained = tuple(pod if pod.is_locked else replace(pod, why=why(pod, before, apart)) for pod in pods)
        tally.add(explained, byes)
        given.append((explained, byes))
        before += explained
        plans.append(
            Plan(
                round=number,
                pods=explained,
                byes=byes,
                quality=tally.quality(constraints),
                certificate=certify(given, method),
                reasons=about_round(whole, explained, byes),
                rotation=whole,
            )
        )
    return plans


def _seated(
    turns: Sequence[Turn], drawn: Sequence[Entrant], shape: Shape, history: Sequence[Plan], locked: Sequence[Pod]
) -> list[Drawn]:
    """Seat the people of every round; tables are numbered by their best seed."""
    rank = {item.entry: place for place, item in enumerate(drawn)}
    used = seats_used((pod.seats for plan in history for pod in plan.pods), rank, len(shape.sides))
    rounds: list[Drawn] = []
    for tables, out in turns:
        ordered = sorted(tables, key=lambda table: min(rank[entry] for side in table for entry in side))
        pods = [Pod(0, seated(_in_order(table, rank), shape.sides, used), sides=shape.sides) for table in ordered]
        placed = numbered(pods, locked if not rounds else ())
        byes = tuple(sorted(out, key=lambda entry: rank[entry]))
        rounds.append((tuple(replace(pod, sides=shape.sides) for pod in placed), byes))
    return rounds


def _in_order(table: Sequence[Sequence[str]], rank: dict[str, int]) -> list[list[str]]:
    """Order sides by their best seed, so that the order of input says nothing."""
    sides = [sorted(side, key=lambda entry: rank[entry]) for side in table]
    return sorted(sides, key=lambda side: rank[side[0]])


WHOLE = gettext_noop(
    "With %(people)d people there is an exact design: in %(rounds)d rounds everybody is everybody's partner once and "
    "everybody's opponent twice."
)
NOBODY = gettext_noop("With %(people)d people and %(rounds)d rounds nobody needs to have the same partner twice.")
FORCED = gettext_noop("Repeated partnerships with %(people)d people and %(rounds)d rounds: at least %(bound)d.")
FEW = gettext_noop("%(people)d people do not fill a table of %(seats)d.")


def outlook(people: int, sides: Sequence[int], rounds: int) -> tuple[Reason, ...]:
    """Return what can be expected before anything is drawn: an exact design, or what no schedule can beat. No search.

    A rehearsal plans the rounds and knows more. Raises FormatError "rotation.sides".
    """
    members, seats = members_of(sides), len(sides)
    if people < seats:
        return (Reason("rotation.few", FEW, (("people", people), ("seats", seats))),)
    out = people % seats
    found = [_partners(people, members, seats, rounds)]
    if seats == 4 and members == 2 and (exact := whist(people)):
        found.insert(0, Reason("rotation.whole", WHOLE, (("people", people), ("rounds", len(exact)))))
    if out:
        found.append(Reason("rotation.byes", SITTING_OUT, (("byes", out), ("entries", people), ("seats", seats))))
    return tuple(found)


def _partners(people: int, members: int, seats: int, rounds: int) -> Reason:
    shape = [(members,) * (seats // members)] * (people // seats)
    bound = max(bound_of_partners(people, [shape] * rounds))
    asked = (("people", people), ("rounds", rounds))
    if not bound:
        return Reason("rotation.nobody", NOBODY, asked)
    return Reason("rotation.forced", FORCED, (*asked, ("bound", bound)))
