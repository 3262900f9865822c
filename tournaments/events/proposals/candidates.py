"""Formats that are considered for a number of people: what each is good for, and the plan that it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import ceil, log2
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.events.chains import MAX_GROUPS
from tournaments.events.proposals.question import (
    ALONE,
    DRAWN,
    ENTERED,
    IN_PAIRS,
    ROTATING,
    TEAM_SIZES,
    Question,
    has_pairs,
)
from tournaments.events.validation import MAX_ENTRIES
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.models import stage_names

USUAL_SEATS: Final = 4
NAME: Final = "Event"
"""Stands for the name, which the organiser gives."""
PAIRS: Final = "2x2"
POOL: Final = 5
"""About how many play each other in a pool of duels."""
SMALL: Final = 10
"""Entries up to which everybody can meet everybody in an evening."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A format for an evening. rounds: of the first stage, (fewest, usual, most) that make sense; the three are equal
    where the number of entries gives them. make: the plan for a number of rounds; min_entries and max_entries of it
    are not final.
    """

    key: str
    title: str | Promise
    good_for: str | Promise
    rounds: tuple[int, int, int]
    make: Callable[[int], EventPlan]


def candidates(question: Question) -> Iterator[Candidate]:
    """Yield what can be played, the usual choice first."""
    if question.company in IN_PAIRS and question.company != ROTATING:
        yield from _duels(question)
    elif question.company == ROTATING:
        yield from _rotating(question)
    elif TEAM_SIZES[question.company] > 1:
        yield from _teams(question)
    elif seats_of(question) == 2:
        yield from _duels(question)
    else:
        yield from _tables(question)
        yield from _rotating(question)


def seats_of(question: Question) -> int:
    """Return how many sit at a table: what was asked, else four, or more where tables are short, or all who come."""
    low, high = question.seat_range
    if question.company in IN_PAIRS:
        return USUAL_SEATS
    if question.seats:
        return question.seats
    if TEAM_SIZES[question.company] > 1:
        return max(low, 2)
    short = ceil(question.people / question.tables) if question.tables else 0
    # Six at most: at seven a hand of Sakura has few cards, and a match takes longest.
    wanted = short if USUAL_SEATS < short <= min(high, 6) else USUAL_SEATS
    return max(low, min(high, wanted, question.people))


def base(question: Question) -> EventPlan:
    """Return what all plans for a question have in common."""
    seats = seats_of(question)
    company = question.company
    plan = EventPlan(
        name=NAME,
        preset=question.preset,
        who="people",
        seats=seats,
        options={"teams": PAIRS} if company in IN_PAIRS else {},
        partners=company if company in (DRAWN, ENTERED) else "",
        max_entries=min(MAX_ENTRIES, -(-question.entries * 5 // 4 // 4) * 4 + 4),
        min_entries=min(4, question.entries),
    )
    if TEAM_SIZES[company] > 1 and company not in IN_PAIRS:
        return replace(plan, partners="entered", boards=TEAM_SIZES[company], team_score="sum")
    return plan


def _then(plan: EventPlan, *, last: int, most: int | None = None, **final: Any) -> EventPlan:
    """Return the plan with a knock-out of the best after it."""
    return replace(
        plan,
        then=(StagePlan(name=stage_names.KNOCK_OUT, tie_breaks=plan.tie_breaks, **final),),
        ways=(AdvancementPlan(source=1, target=2, last=last, most=most),),
    )


def _tables(question: Question) -> Iterator[Candidate]:
    """Yield formats for tables of three and more."""
    plan, people = base(question), question.people
    seats = plan.seats
    if people >= 2 * seats:
        swiss = replace(plan, kind="pods", stage_name=stage_names.SWISS)
        yield Candidate(
            "swiss_final",
            _("Swiss rounds, then a final table"),
            _("Everybody plays every round; the best meet in a final that decides the evening."),
            (2, 4, 6),
            lambda rounds: _then(replace(swiss, rounds=rounds), last=seats, kind="single_elim"),
        )
    if people >= 4 * seats:
        yield _pools_of_tables(plan, people)
    yield from _mixing(plan, people)
    if people <= 2 * USUAL_SEATS and question.seat_range[0] == 2 and not question.seats:
        yield from _duels(replace(question, seats=2))
    elif people > seats + 1:
        half = max(1, seats // 2)
        yield Candidate(
            "knock_out",
            _("Knock-out at tables"),
            _("Few rounds: half of each table advance, the others are free to watch."),
            (1, 1, 1),
            lambda _rounds: replace(plan, kind="single_elim", flows=True, advance=half),
        )


def _mixing(plan: EventPlan, people: int) -> Iterator[Candidate]:
    """Yield formats in which everybody plays every round, and the total decides."""
    seats = plan.seats
    if people > seats + 1:
        yield _swiss(replace(plan, kind="pods"), (3, 5, 8))
    yield Candidate(
        "mixed",
        _("Rounds that mix everybody evenly"),
        _("A sociable evening: you meet as many people as possible, and latecomers can join."),
        (1 if people <= seats + 1 else 2, 4, 8),
        lambda rounds: replace(plan, kind="tables", rounds=rounds),
    )


def _swiss(plan: EventPlan, rounds: tuple[int, int, int]) -> Candidate:
    """Return Swiss rounds in which the total decides, of duels or at tables as the plan's kind says."""
    return Candidate(
        "swiss",
        _("Swiss rounds"),
        _("Everybody plays to the end, against people with similar scores; the total decides."),
        rounds,
        lambda wanted: replace(plan, rounds=wanted),
    )


def _round_robin(plan: EventPlan, *, cycles: int) -> Candidate:
    """Return a round robin. cycles: how many times everyone plays everyone."""
    return Candidate(
        "round_robin",
        _("Round robin"),
        _("The fairest ranking for a small field."),
        (cycles, cycles, cycles),
        lambda rounds: replace(plan, kind="round_robin", rounds=rounds),
    )


def _pools_of_tables(plan: EventPlan, people: int) -> Candidate:
    """Return pools at tables, whose best play one table, or two rounds where there are many pools."""
    seats = plan.seats
    groups = max(2, min(MAX_GROUPS, round(people / (2 * seats))))
    each = max(1, ceil(seats / groups))
    cut = seats if groups < 2 * seats else 2 * seats
    advance = 1 if cut == seats else max(1, seats // 2)
    # The form has one number of those who advance from a table, which in the pools has no meaning.
    pools = replace(plan, kind="tables", groups=groups, advance=advance, stage_name=stage_names.POOLS)
    most = cut if cut < each * groups else None
    return Candidate(
        "pools_final",
        _("Pools, then a final"),
        _("Small groups that get to know each other; the best of every pool meet at the end."),
        (2, 3, 5),
        lambda rounds: _then(replace(pools, rounds=rounds), last=each, most=most, kind="single_elim", advance=advance),
    )


def _rotating(question: Question) -> Iterator[Candidate]:
    """Yield rotating partners, where the game has pairs."""
    if question.company == ALONE and (question.people < 8 or seats_of(question) != USUAL_SEATS):
        return
    plan = replace(base(question), seats=USUAL_SEATS, options={"teams": PAIRS})
    from_pairs = question.company == ROTATING
    if question.company == ALONE and not has_pairs(question.preset):
        return
    yield Candidate(
        "rotating",
        _("Rotating partners"),
        _("You play with another partner in every round, and are ranked individually."),
        (2 if from_pairs else 3, 5, 9),
        lambda rounds: replace(plan, kind="rotation", rounds=rounds),
    )


def _duels(question: Question) -> Iterator[Candidate]:
    """Yield formats in which two entries meet at a table."""
    plan, entries = base(question), question.entries
    if entries > SMALL:
        yield _pools_of_duels(plan, entries)
        usual = max(4, ceil(log2(entries)))
        yield _swiss(replace(plan, kind="swiss"), (3, usual, usual + 2))
    if entries <= 2 * SMALL:
        yield _round_robin(plan, cycles=3 if entries == 2 else 2 if entries == 3 else 1)
    if 4 < entries <= SMALL:
        yield _pools_of_duels(plan, entries)
    if entries > 2:
        yield Candidate(
            "double_elim",
            _("Double elimination"),
            _("Everybody may lose once: a knock-out with a second chance."),
            (1, 1, 1),
            lambda _rounds: replace(plan, kind="double_elim", flows=True),
        )
        yield Candidate(
            "knock_out",
            _("Knock-out"),
            _("The quickest way to a winner; half the field is out after one match."),
            (1, 1, 1),
            lambda _rounds: replace(plan, kind="single_elim", flows=True, third_place=entries > 3),
        )


def _pools_of_duels(plan: EventPlan, entries: int) -> Candidate:
    """Return pools in which everybody meets everybody, and a knock-out of the best."""
    groups = max(2, min(MAX_GROUPS, round(entries / POOL)))
    each = 2 if entries // groups > 2 else 1
    cut = 1 << (each * groups).bit_length() - 1
    pools = replace(plan, kind="round_robin", groups=groups, stage_name=stage_names.POOLS)
    most = cut if cut < each * groups else None
    return Candidate(
        "pools_final",
        _("Pools, then a knock-out"),
        _("Several sure matches for everybody, and a final with a winner."),
        (1, 1, 1),
        lambda rounds: _then(replace(pools, rounds=rounds), last=each, most=most, kind="single_elim", flows=True),
    )


def _teams(question: Question) -> Iterator[Candidate]:
    """Yield formats for teams whose members sit apart."""
    plan, entries = base(question), question.entries
    meetings = replace(plan, team_score="meetings", tie_breaks=("place", "h2h", "wins"))
    if plan.seats > 2:
        yield Candidate(
            "mixed",
            _("Teams at mixed tables"),
            _("Team-mates sit at different tables, and their results are added up."),
            (2, 4, 8),
            lambda rounds: replace(plan, kind="tables", rounds=rounds),
        )
        return
    if entries > 4:
        usual = max(3, ceil(log2(entries)))
        yield Candidate(
            "swiss",
            _("Swiss rounds of teams"),
            _("Teams with similar scores meet, board against board."),
            (2, usual, usual + 2),
            lambda rounds: replace(meetings, kind="swiss", rounds=rounds),
        )
    if entries <= SMALL:
        yield _round_robin(meetings, cycles=1)
    if question.seat_range[1] >= USUAL_SEATS and not question.seats:
        four = replace(plan, seats=USUAL_SEATS)
        yield Candidate(
            "mixed",
            _("Teams at tables of four"),
            _("Team-mates sit at different tables, and their results are added up."),
            (2, 4, 8),
            lambda rounds: replace(four, kind="tables", rounds=rounds),
        )
