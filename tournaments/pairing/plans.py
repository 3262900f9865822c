"""Rows for planners: a stage's shape, its entrants, the rounds so far and the ends of their matches.

Everything is read from what is stored, so the same round is drawn by every process, however often.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Final

from django.db.models import OuterRef, Subquery

from core.formats import boards, pools, schedule
from core.formats.errors import FormatError
from core.formats.model import Constraint, Entrant, Plan, Seats, Shape, StageSoFar
from core.formats.pools import Course, Pools
from core.formats.progression import Carry, Seeded, constraints_apart
from core.formats.stage_format import TeamSeating
from core.interchange.progress import ends_of
from core.standings.model import BYE_POLICIES, MatchResult
from tournaments.matches.byes import requested_byes_in
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.records.results import spec_for
from tournaments.models import Entry, Match, Round, Stage, StageEntry
from tournaments.pairing import constraints as draw_rules
from tournaments.pairing import pair_rules, rotation
from tournaments.pairing.draw_settings import draw_rules_of, leader_rounds_of

# Codes of planners for "no further round is possible": the stage ends with the rounds it had.
OVER: Final = ("entries.too_few", "dutch.no_pairing")
SETTLED: Final = (Match.State.CONFIRMED, Match.State.VOID)


def rng_seed(stage: Stage, mix: bytes) -> str:
    """Return the seed of a stage's draws. mix: the entrants' nonces."""
    # A hash under the secret, so that publishing the seed of a draw gives nothing of the secret away.
    return hmac.new(bytes(stage.secret or b""), b"plan/1\0" + mix, hashlib.sha256).hexdigest()


def seed_of(stage: Stage) -> str:
    """Return the seed of every draw of a stage that has been seeded. A bracket keeps the one it was begun with.

    A copy of an event that was called off knows it from its rounds alone: the secret was never shown.
    """
    if stage.draw_seed:
        return stage.draw_seed
    if not stage.secret:
        rounds = Round.objects.filter(stage=stage).exclude(rng_seed="").order_by("number")
        if (known := rounds.values_list("rng_seed", flat=True).first()) is not None:
            return known
    return rng_seed(stage, bytes(stage.mix or b""))


def shape_of(stage: Stage) -> Shape:
    """Return what the stage asks of its format. A side that shares a pile is one seat, unless partners change."""
    seating = rules_of(stage).sides(stage.seats_pref)
    sides = len(set(seating))
    in_teams = sides < stage.seats_pref and not stage.format.changes_partners
    seats = (sides, sides, sides) if in_teams else (stage.seats_min, stage.seats_pref, stage.seats_max)
    bye = Fraction(BYE_POLICIES[stage.bye_policy].place)
    changing = tuple(seating) if stage.format.changes_partners else ()
    return Shape(
        seats=Seats(*seats),
        rounds=stage.rounds_planned,
        bye=bye,
        advance=stage.advance,
        third_place=stage.third_place,
        consolation=stage.consolation,
        sides=changing,
        leaders=leader_rounds_of(stage),
        draw=draw_rules_of(stage),
        flows=stage.flows,
    )


def plans_of(stage: Stage, shape: Shape, course: Course, seed: str) -> tuple[Plan, ...]:
    """Return the rounds that can be drawn now, of all groups. Raises the planners' own FormatError.

    A group without a further round rests; the error is raised once no group has one, or if nothing was drawn yet.
    """
    if not course.pools:
        return rotation.with_ages(stage, _plans(stage, shape, course, seed), course.constraints)
    parts: list[tuple[Plan, ...]] = []
    over: list[FormatError] = []
    for number in range(len(course.pools)):
        try:
            parts.append(_plans(stage, shape, course.of_pool(number), pool_seed(seed, number)))
        except FormatError as error:
            # A group may be done before the others; if none has begun, too few entries are an error to be seen.
            if error.code not in OVER or not course.history:
                raise
            over.append(error)
    if over and not any(parts):
        raise over[0]
    return rotation.with_ages(stage, pools.together(parts), course.constraints)


def pool_seed(seed: str, number: int) -> str:
    """Return the seed of the draws of one of several groups."""
    return f"{seed}/{number}"


def _plans(stage: Stage, shape: Shape, course: Course, seed: str) -> tuple[Plan, ...]:
    if not stage.tournament.boards:
        return _drawn(stage.kind, shape, course, seed)
    return (_meetings if stage.format.teams is TeamSeating.MEETINGS else _mixed)(stage, shape, course, seed)


def _meetings(stage: Stage, shape: Shape, course: Course, seed: str) -> tuple[Plan, ...]:
    """Draw rounds of teams that sit apart, each pair of them at as many tables as a team has boards."""
    by_meetings = stage.tournament.team_score == "meetings"
    as_teams = replace(
        course,
        history=tuple(map(boards.as_meetings, course.history)),
        finished=tuple(boards.ends_of_meetings(course.history, course.finished, by_meetings=by_meetings)),
    )
    plans = _drawn(stage.kind, shape, as_teams, seed)
    return tuple(boards.at_boards(plan, stage.tournament.boards) for plan in plans)


def _mixed(stage: Stage, shape: Shape, course: Course, seed: str) -> tuple[Plan, ...]:
    """Draw rounds with every board of every team for itself, never at a table with another one of its team."""
    n, turn = stage.tournament.boards, len(course.history) + 1
    seats = boards.seats_for(shape.seats, sum(item.plays(turn) for item in course.entrants))
    constraints = boards.constraints_of(course.entrants, n, course.constraints)
    history = tuple(map(boards.by_member, course.history))
    single = Course(tuple(boards.members_of(course.entrants, n)), history, course.finished, (), constraints)
    plans = _drawn(stage.kind, replace(shape, seats=seats), single, seed)
    return tuple(map(boards.by_team, boards.separated(plans, history, constraints)))


def counted(stage: Stage, plans: Sequence[Plan]) -> list[Plan]:
    """Return stored rounds with their figures counted again, as their planner counts them."""
    groups, constraints, n = pools_of(stage), constraints_of(stage), stage.tournament.boards
    if not n:
        return pools.rescored(plans, groups, constraints)
    if stage.format.teams is TeamSeating.MEETINGS:
        seen = pools.rescored(list(map(boards.as_meetings, plans)), groups, constraints)
    else:
        named = [[boards.name_of(entry, board) for entry in own for board in range(1, n + 1)] for own in groups]
        apart = boards.constraints_of(entrants_of(stage, {}), n, constraints)
        seen = pools.rescored(list(map(boards.by_member, plans)), named, apart)
    figures = zip(plans, seen, strict=True)
    return [replace(plan, quality=own.quality, certificate=own.certificate) for plan, own in figures]


def _drawn(kind: str, shape: Shape, course: Course, seed: str) -> tuple[Plan, ...]:
    return tuple(
        schedule(
            kind,
            course.entrants,
            shape.rounds,
            shape.seats,
            seed,
            history=course.history,
            finished=course.finished,
            constraints=course.constraints,
            bye=shape.bye,
            advance=shape.advance,
            third_place=shape.third_place,
            consolation=shape.consolation,
            sides=shape.sides,
            leaders=shape.leaders,
            draw=shape.draw,
            flows=shape.flows,
            open_tables=course.open,
        )
    )


def history_of(stage: Stage, up_to: int = 0) -> tuple[Plan, ...]:
    """Return the rounds that were drawn, up to a round (0: all)."""
    rounds = Round.objects.filter(stage=stage).order_by("number")
    rows = rounds.filter(number__lte=up_to) if up_to else rounds
    return tuple(Plan.from_json(document) for document in rows.values_list("plan", flat=True))


def entrants_of(stage: Stage, scores: Mapping[str, Fraction], after_round: int = 0) -> tuple[Entrant, ...]:
    """Return everybody who is or was in the stage; those who cannot be drawn any more are not active.

    after_round: as it was then, before entries left or were suspended since (0: now).
    """
    rows = StageEntry.objects.filter(stage=stage).select_related("entry__bot_version").order_by("seed")
    excused = excused_in(stage)
    return tuple(
        Entrant(
            entry=str(row.entry.uuid),
            seed=row.seed,
            is_active=_is_there(row, after_round, is_over=stage.state == Stage.State.CLOSED),
            score=scores.get(str(row.entry.uuid), Fraction(0)),
            joined=row.joined_round,
            excused=excused.get(str(row.entry.uuid), ()),
        )
        for row in rows
    )


def excused_in(stage: Stage) -> Mapping[str, tuple[tuple[int, Fraction], ...]]:
    """Return, by entry, `Entrant.excused`: the rounds that it sits out by arrangement, and what each is worth."""
    return {entry: tuple(sorted(rounds.items())) for entry, rounds in requested_byes_in(stage).items()}


def _is_there(row: StageEntry, after_round: int, *, is_over: bool) -> bool:
    """Return whether the entry has not left by then.

    Now (0), while the stage goes on, it must be free to be drawn, too.
    """
    if after_round:
        return row.left_round is None or row.left_round > after_round
    return row.left_round is None and (is_over or may_be_drawn(row.entry))


def may_be_drawn(entry: Entry) -> bool:
    """Return whether it may be drawn: it has not left, and its version is not suspended (tournaments.md section 9)."""
    if entry.state != Entry.State.ACTIVE:
        return False
    return entry.bot_version is None or entry.bot_version.benched_at is None


def pools_of(stage: Stage) -> Pools:
    """Return the groups of a stage in their order; none, and no query, where everybody plays in one."""
    if stage.groups_n < 2:
        return ()
    rows = StageEntry.objects.filter(stage=stage, group__isnull=False).order_by("group__number", "seed")
    by_group: dict[int, list[str]] = {}
    for number, uuid in rows.values_list("group__number", "entry__uuid"):
        by_group.setdefault(number, []).append(str(uuid))
    return tuple(tuple(members) for members in by_group.values())


def constraints_of(stage: Stage) -> tuple[Constraint, ...]:
    """Return the pairs kept apart, and rules about pairs.

    Club mates if the event says so; in a bracket those of one group of the stage before.
    """
    clubs = draw_rules.club_constraints(draw_rules.clubs_in(stage))
    return (*clubs, *_about_pairs(stage), *_mates_apart(stage))


def _about_pairs(stage: Stage) -> tuple[Constraint, ...]:
    """Return the pairs an organiser keeps apart or together. Few queries where nobody wished for it."""
    rules = stage.format.takes_forbidden_pairs and stage.tournament.pair_rules.exists()
    by_ages = stage.format.changes_partners and stage.tournament.age_gap
    if not rules and not by_ages and not draw_rules.pairs_of(stage.tournament):
        return ()
    listed = [str(uuid) for uuid in StageEntry.objects.filter(stage=stage).values_list("entry__uuid", flat=True)]
    return constraints_about_pairs(stage, listed)


def constraints_about_pairs(stage: Stage, entries: Collection[str]) -> tuple[Constraint, ...]:
    """Return the same for these entries, who may not be in the stage yet."""
    of_pairs = (*draw_rules.pair_constraints(stage, entries), *pair_rules.constraints_for(stage, entries))
    return (*of_pairs, *rotation.age_constraints(stage, entries))


def _mates_apart(stage: Stage) -> tuple[Constraint, ...]:
    if stage.order == 1 or not stage.format.is_bracket:
        return ()
    before = StageEntry.objects.filter(stage=OuterRef("came_by__source"), entry=OuterRef("entry"))
    rows = StageEntry.objects.filter(stage=stage, came_by__source__groups_n__gt=1).order_by("seed")
    rows = rows.annotate(mates=Subquery(before.values("group__number")[:1]))
    listed = rows.values_list("entry__uuid", "seed", "came_by__source__order", "mates", "came_place")
    return constraints_apart(
        [
            Seeded(str(uuid), seed, group_name(order, mates), place or 0, Carry.NONE)
            for uuid, seed, order, mates, place in listed
        ]
    )


def group_name(order: int, number: int | None) -> str:
    """Name a group among those of all stages, for the planners: two stages may have groups of one label."""
    # Padded, so that names sort as the numbers do.
    return f"{order:02}/{number or 0:03}"


def course_of(stage: Stage, scores: Mapping[str, Fraction], results: Sequence[MatchResult]) -> Course:
    """Read the stage so far. scores: by entry, of the standings as they are. results: every match that is confirmed."""
    history, entrants = history_of(stage), entrants_of(stage, scores)
    return _course(stage, history, entrants, results)


def _course(
    stage: Stage, history: tuple[Plan, ...], entrants: tuple[Entrant, ...], results: Sequence[MatchResult]
) -> Course:
    groups, constraints, still_open = pools_of(stage), constraints_of(stage), open_tables_of(stage)
    spec = spec_for(stage)
    finished = ends_of(history, results, spec, lots_rounds=stage.lots_rounds)
    return Course(entrants, history, tuple(finished), groups, constraints, still_open)


def open_tables_of(stage: Stage) -> frozenset[tuple[int, int]] | None:
    """Return `unfinished_tables` of a bracket that flows; None, and no query, where whole rounds are drawn."""
    return unfinished_tables(stage) if stage.flows else None


def unfinished_tables(stage: Stage) -> frozenset[tuple[int, int]]:
    """Return the (round, table) of drawn matches that are still to end. One query."""
    rows = Match.objects.filter(stage=stage, round__isnull=False).exclude(state__in=SETTLED)
    return frozenset((number, table) for number, table in rows.values_list("round__number", "table_no") if table)


def placement(stage: Stage, results: Sequence[MatchResult], after_round: int) -> dict[str, int] | None:
    """Return the best place each entry can still have, where the stage is a bracket or goes by lives; None elsewhere.

    after_round: by the results up to then (0: now).
    """
    history = history_of(stage, after_round) if stage.format.ranks_by_bracket else ()
    if not history:
        return None
    entrants = entrants_of(stage, {}, after_round)
    # What is still played has put nobody out, whether or not whole rounds are drawn.
    course = replace(_course(stage, history, entrants, results), open=unfinished_tables(stage))
    return placed(stage, course)


def placed(stage: Stage, whole: Course) -> dict[str, int]:
    """Return the same for a course whose ids may be those of another installation: brackets are drawn by ids, too."""
    seed = seed_of(stage)
    if not whole.pools:
        return _placed(stage, whole, seed)
    found: dict[str, int] = {}
    for number in range(len(whole.pools)):
        found |= _placed(stage, whole.of_pool(number), pool_seed(seed, number))
    return found


def _placed(stage: Stage, course: Course, seed: str) -> dict[str, int]:
    so_far = StageSoFar(
        course.entrants, shape_of(stage), course.history, course.finished, course.constraints, course.open
    )
    return dict(stage.format.places(so_far, Random(seed)))
