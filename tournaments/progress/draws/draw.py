"""Draws: from entries to rounds, deal sets, matches and seats.

`draw_stage` computes (no transaction, the planners are pure); `write_draw` writes what was drawn in the transaction
that starts the tournament, after `is_current` has compared the entries once more under its row lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import publish_queue_change
from bots.models import BotVersion
from core.errors import TournamentError
from core.formats.model import Constraint, Entrant, Plan, Pod
from core.formats.pools import Course, Pools, snake
from core.formats.progression import Carry, Seeded, apart
from engine.deck import commitment, match_seed, nonce_mix
from engine.game import Ruleset as Rules
from tournaments.lifecycle.transitions import act, transition
from tournaments.matches import priorities
from tournaments.matches.deal_sets import rules_of
from tournaments.models import DealSet, Entry, Group, Match, Round, Seat, Stage, StageEntry, Tournament
from tournaments.pairing import constraints, lineups
from tournaments.pairing import plans as planning
from tournaments.pairing.table_numbers import numbered
from tournaments.progress.draws import ladders, starters
from tournaments.progress.draws.starters import Lineup
from tournaments.ratings.entries import strengths_of

# The bound of one draw, and of the transaction that writes it: `write_draw` inserts all of it at once.
MAX_MATCHES: Final = 20_000
LABELS: Final = ascii_uppercase
CHUNK: Final = 500
# By UUID: an entry and the version it plays with.
Pinned = dict[str, tuple[Entry, int | None]]


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn stage. lineup: (entry id, version id) by seed, from 1. dropped: entries that cannot play any more.

    pools: the groups, entries by UUID; empty where everybody plays in one.
    """

    tournament: Tournament
    stage: Stage
    lineup: tuple[tuple[int, int | None], ...]
    dropped: tuple[int, ...]
    uuids: tuple[str, ...]
    mix: bytes
    rng_seed: str
    plans: tuple[Plan, ...]
    pools: Pools = ()


def draw_stage(tournament: Tournament) -> Draw:
    """Draw all rounds of the first stage from the entries as they are now. Reads only.

    Raises TournamentError "tournament.too_few_entries", "tournament.too_many_matches" and the planner's own.
    """
    stage = tournament.stages.select_related("ruleset").order_by("order")[0]
    lineups.refuse_singles(tournament)
    chosen, dropped = starters.chosen(tournament, stage)
    if len(chosen) < (need := max(2, tournament.min_entries)):
        message = _("%(have)s entries can play, and the event needs %(need)s. Wait for more or lower the minimum.")
        shown = {"have": len(chosen), "need": need}
        raise TournamentError(message % shown, code="tournament.too_few_entries", extra=dict(shown))
    # The texts of those who play, not of everybody who entered.
    mix = nonce_mix({str(entry.uuid): entry.nonce for entry, _version in chosen if entry.nonce})
    rng_seed = planning.rng_seed(stage, mix)
    chosen = _seeded(stage, chosen, rng_seed)
    uuids = tuple(str(entry.uuid) for entry, _version in chosen)
    excused = planning.excused_in(stage)
    entrants = tuple(Entrant(uuid, seed, excused=excused.get(uuid, ())) for seed, uuid in enumerate(uuids, 1))
    clubs = _clubs(stage, chosen)
    pools = pools_for(stage, entrants, clubs)
    plans = plans_for(stage, Course(entrants, (), (), pools, _constraints(stage, clubs, uuids)), rng_seed)
    if stage.format.honours_clubs:
        plans = constraints.explained(plans, clubs)
    plans = numbered(stage, plans)
    gone = tuple(entry.pk for entry in dropped)
    return Draw(tournament, stage, _pinned(chosen), gone, uuids, mix, rng_seed, plans, pools)


def _seeded(stage: Stage, chosen: Lineup, lots: str) -> Lineup:
    """Return the entries in the order of the seeds that the organiser asked for."""
    at = {str(entry.uuid): (entry, version) for entry, version in chosen}
    return [at[entry] for entry in constraints.in_order(list(at), constraints.seeding_of(stage), lots=lots)]


def _clubs(stage: Stage, chosen: Lineup) -> list[tuple[str, str]]:
    """Return (entry, club) of those who have one, where club mates are kept apart."""
    if not constraints.separates_clubs(stage.tournament):
        return []
    return [(str(entry.uuid), entry.player.club) for entry, _version in chosen if entry.player.club]


def _constraints(stage: Stage, clubs: Sequence[tuple[str, str]], entries: Sequence[str]) -> tuple[Constraint, ...]:
    of_clubs = constraints.club_constraints(clubs) if stage.format.honours_clubs else ()
    return (*of_clubs, *planning.constraints_about_pairs(stage, entries))


def pools_for(stage: Stage, entrants: Sequence[Entrant], clubs: Sequence[tuple[str, str]] = ()) -> Pools:
    """Return the groups of a first stage: equal strength by a snake over the seeds, club mates spread over them.

    clubs: (entry, club) where club mates are kept apart. Raises FormatError "groups.count".
    """
    if stage.groups_n < 2:
        return ()
    if clubs:
        # "Hana  Club" and "hana club" are one club; somebody without a club is a club of one.
        named = {entry: " ".join(club.split()).casefold() for entry, club in clubs}
        listed = [Seeded(item.entry, item.seed, named.get(item.entry, item.entry), 0, Carry.NONE) for item in entrants]
        return tuple(tuple(item.entry for item in members) for members in apart(listed, stage.groups_n))
    return tuple(tuple(item.entry for item in members) for members in snake(entrants, stage.groups_n))


def _pinned(chosen: Lineup) -> tuple[tuple[int, int | None], ...]:
    return tuple((entry.pk, version.pk if version is not None else None) for entry, version in chosen)


def plans_for(stage: Stage, course: Course, rng_seed: str) -> tuple[Plan, ...]:
    """Return the rounds that can be drawn at the start of a stage; none of one that is open-ended.

    Raises TournamentError "tournament.too_many_matches".
    """
    shape = planning.shape_of(stage)
    plans = planning.plans_of(stage, shape, course, rng_seed)
    matches = sum(legs_of(stage, pod) for plan in plans for pod in plan.pods)
    if stage.format.needs_results:  # no later round has more tables than the first
        matches *= stage.format.rounds(max(map(len, course.pools), default=len(course.entrants)), shape)
    if matches > MAX_MATCHES:
        message = _("That would be %(n)s matches; the limit is %(most)s. Choose fewer rounds, legs or entries.")
        shown = {"n": matches, "most": MAX_MATCHES}
        raise TournamentError(message % shown, code="tournament.too_many_matches", extra=dict(shown))
    return plans


def legs_of(stage: Stage, pod: Pod) -> int:
    """Return how often the deals of a pod are played: once, or once from every seat."""
    return len(pod.seats) if stage.legs == Stage.Legs.CYCLIC else 1


def is_current(draw: Draw) -> bool:
    """Return whether the entries are still those that were drawn. Needs the tournament's row lock."""
    chosen, dropped = starters.chosen(draw.tournament, draw.stage)
    chosen = _seeded(draw.stage, chosen, draw.rng_seed)
    return (_pinned(chosen), tuple(entry.pk for entry in dropped)) == (draw.lineup, draw.dropped)


def write_draw(draw: Draw, by: User | None) -> int:
    """Pin versions, write rounds, deal sets, matches and seats, queue the matches. Returns how many matches.

    Tables with people are called by the organiser, not queued. Needs the transaction that started the tournament; the
    caller sends the wake-ups.
    """
    entries = _pin(draw)
    act(draw.stage, "seed", by, changes={"mix": draw.mix})
    return open_stage(draw, entries, by)


def open_stage(draw: Draw, entries: Pinned, by: User | None, later: list[DomainEvent] | None = None) -> int:
    """Write the rounds of a stage that is seeded, open it and queue its matches. Returns how many matches.

    later: takes the events to publish, for a caller that publishes them last.
    """
    rounds = _rounds(draw)
    # Drafts first, published in the same transaction: nobody ever reads a round without its matches.
    matches = _matches(draw, rounds, entries)
    published = transition(Round, "publish")
    Round.objects.filter(stage=draw.stage, state__in=published.sources).update(state=published.target)
    payload = {"rounds": len(rounds), "matches": matches, "entries": len(entries)}
    act(draw.stage, "activate", by, payload=payload, later=later)
    if draw.stage.format.is_open_ended:
        return ladders.begin(draw.stage)
    queue_ready(Match.objects.filter(stage=draw.stage))
    return matches


def queue_ready(matches: QuerySet[Match]) -> int:
    """Queue those of these matches that workers play: their decks are committed to. Returns how many.

    Tables at which a person sits have no deal set: they are called.
    """
    queue = transition(Match, "queue")
    waiting = matches.filter(state__in=queue.sources, deal_set__isnull=False)
    queued = waiting.update(state=queue.target, queued_at=timezone.now())
    if queued:
        publish_queue_change()
    return queued


def write_round(stage: Stage, plan: Plan) -> tuple[Round, int]:
    """Write one more round of a stage that goes on, a draft with its matches. Returns it and how many matches it has.

    Everybody plays the version that was pinned at the start. Needs the event's lock and a transaction.
    """
    draw, entries = _one_more(stage, plan)
    rounds = _rounds(draw)
    return rounds[0], _matches(draw, rounds, entries)


def write_tables(row: Round, plan: Plan) -> int:
    """Write tables of a round that is there: those of `plan`, whose numbers are free. Returns how many matches.

    Needs the event's lock and a transaction.
    """
    draw, entries = _one_more(row.stage, plan)
    made = _matches(draw, [row], entries)
    queue_ready(Match.objects.filter(round=row))
    return made


def _one_more(stage: Stage, plan: Plan) -> tuple[Draw, Pinned]:
    """Return a draw of one round of a stage that goes on, and the entries of the stage."""
    listed = StageEntry.objects.filter(stage=stage).select_related("entry")
    entries = {str(row.entry.uuid): (row.entry, row.entry.bot_version_id) for row in listed}
    mix, seed = bytes(stage.mix or b""), planning.seed_of(stage)
    return Draw(stage.tournament, stage, (), (), (), mix, seed, (plan,)), entries


def _pin(draw: Draw) -> Pinned:
    """Make entries active with a seed and a version, and withdraw those that cannot play. By UUID."""
    rows = Entry.objects.in_bulk([entry for entry, _version in draw.lineup])
    for seed, (pk, version_id) in enumerate(draw.lineup, 1):
        rows[pk].seed, rows[pk].bot_version_id, rows[pk].state = seed, version_id, Entry.State.ACTIVE
    Entry.objects.bulk_update(rows.values(), ["seed", "bot_version", "state"], batch_size=CHUNK)
    Entry.objects.filter(pk__in=draw.dropped).update(state=Entry.State.WITHDRAWN)
    groups, strengths = write_groups(draw.stage, draw.pools), strengths_of(draw.stage, rows.values())
    listed = [
        StageEntry(
            stage=draw.stage,
            entry=rows[entry],
            seed=seed,
            group=groups.get(str(rows[entry].uuid)),
            strength=strengths.get(entry, ""),
        )
        for seed, (entry, _) in enumerate(draw.lineup, 1)
    ]
    StageEntry.objects.bulk_create(listed, batch_size=CHUNK)
    return {str(rows[entry].uuid): (rows[entry], version) for entry, version in draw.lineup}


def write_groups(stage: Stage, pools: Pools) -> dict[str, Group]:
    """Write the groups of a stage, A, B, C and so on. By UUID of each member."""
    rows = [Group(stage=stage, number=number, label=LABELS[number - 1]) for number in range(1, len(pools) + 1)]
    Group.objects.bulk_create(rows)
    return {entry: row for row, members in zip(rows, pools, strict=True) for entry in members}


def _rounds(draw: Draw) -> list[Round]:
    rows = [
        Round(
            stage=draw.stage,
            number=plan.round,
            plan=plan.to_json(),
            quality=plan.to_json()["quality"],
            rng_seed=draw.rng_seed,
        )
        for plan in draw.plans
    ]
    return Round.objects.bulk_create(rows)


def _matches(draw: Draw, rounds: list[Round], entries: Pinned) -> int:
    sets: list[DealSet] = []
    matches: list[Match] = []
    seats: list[Seat] = []
    rules, answered_here = rules_of(draw.stage), _at_tables(draw, entries)
    for round_row, plan in zip(rounds, draw.plans, strict=True):
        everybody = [entry for entry, _version in entries.values()]
        seated = lineups.seated(draw.stage, plan.round, everybody)
        boards = lineups.on_boards(draw.stage, plan.round, everybody)
        for pod in plan.pods:
            deal_set = None if not answered_here.isdisjoint(pod.seats) else _deal_set(draw)
            sets += [deal_set] if deal_set is not None else []
            for leg in range(1, legs_of(draw.stage, pod) + 1):
                match = _match(draw, round_row, pod, deal_set, leg)
                matches.append(match)
                if pod.boards:
                    seats += lineups.board_seats(match, pod, entries, boards)
                else:
                    seats += _seats(match, pod, rules, entries, seated)
    _set_priorities(draw, matches)
    # Parents before children: a match names its deal set and a seat its match, by keys that the inserts bring back.
    DealSet.objects.bulk_create(sets, batch_size=CHUNK)
    Match.objects.bulk_create(matches, batch_size=CHUNK)
    Seat.objects.bulk_create(seats, batch_size=CHUNK)
    return len(matches)


def _at_tables(draw: Draw, entries: Pinned) -> frozenset[str]:
    """Return the entries whose matches no worker plays: people, and remote programs."""
    if not draw.tournament.is_of_people:
        return frozenset()
    remote: set[int] = set()
    if draw.stage.takes_programs:
        pinned = {version for _entry, version in entries.values() if version is not None}
        remote = set(BotVersion.objects.filter(pk__in=pinned, bot__remote=True).values_list("pk", flat=True))
    return frozenset(uuid for uuid, (_entry, version) in entries.items() if version is None or version in remote)


def _set_priorities(draw: Draw, matches: list[Match]) -> None:
    """Number the matches in the order they were drawn; the cost is estimated once for each size of table."""
    deals = rules_of(draw.stage).options.rounds
    cost = {seats: priorities.estimated_ms(draw.stage, seats, deals) for seats in {match.seats_n for match in matches}}
    numbers = priorities.places(priorities.start_of(draw.tournament), (cost[match.seats_n] for match in matches))
    for match, number in zip(matches, numbers, strict=True):
        match.priority = number


def _deal_set(draw: Draw) -> DealSet:
    deal_set = DealSet(stage=draw.stage)
    # The seed itself is stored nowhere: it follows from the secret, the texts and the uuid that was made just now.
    deal_set.commit = commitment(match_seed(bytes(draw.stage.secret or b""), draw.mix, deal_set.uuid.bytes))
    return deal_set


def _match(draw: Draw, round_row: Round, pod: Pod, deal_set: DealSet | None, leg: int) -> Match:
    # A pod of teams names a team once, although it takes several seats.
    # By the rules, not by the smallest table alone: that may have been changed since other rounds were drawn.
    in_teams = len(pod.seats) < draw.stage.seats_min and not pod.boards and _shares_sides(draw.stage)
    return Match(
        stage=draw.stage,
        round=round_row,
        deal_set=deal_set,
        leg=leg,
        table_no=pod.table,
        seats_n=draw.stage.seats_pref if in_teams else len(pod.seats),
        state=Match.State.READY,
        why=" ".join(str(reason) for reason in pod.why)[:300],
    )


def _shares_sides(stage: Stage) -> bool:
    sides = rules_of(stage).sides(stage.seats_pref)
    return len(set(sides)) < len(sides)


def _seats(match: Match, pod: Pod, rules: Rules, entries: Pinned, seated: Mapping[int, Sequence[int]]) -> list[Seat]:
    """Return the seats of one leg: in leg 1 the pod's own order, in each further leg everybody one seat on.

    seated: the players of an entry, by its key; members take the seats of their side in order. Where partners change
    the pod names the entry on every seat, else the entry of every side; one seat on, partners are opposite again.
    """
    sides = rules.sides(match.seats_n)
    seats = []
    for index, side in enumerate(sides):
        place = index if pod.sides else side
        entry, version = entries[pod.seats[(place + match.leg - 1) % len(pod.seats)]]
        players = seated[entry.pk]
        # A single player of a side of several seats takes all of them, hence the modulo.
        player = players[sides[:index].count(side) % len(players)]
        seats.append(Seat(match=match, index=index, side=side, entry=entry, player_id=player, bot_version_id=version))
    return seats
