"""Export of an event's rows as a document for everybody who may open it: nothing before its time, no insides."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from sys import intern
from typing import Any, Final, Literal

import msgspec
from django.db.models import Prefetch, QuerySet

from accounts.models import User
from core.interchange.documents import copies
from core.interchange.documents import event as doc
from core.interchange.documents.copies import ids_of, named_by_ids, other, translate
from tournaments import models
from tournaments.events.log import feed_of
from tournaments.interchange.export_rows import draws_of, match_with, members_of
from tournaments.interchange.settings_document import policies_of
from tournaments.matches.deal_sets import seed_of_deals
from tournaments.models import Entry, Match, Round, Stage, Standing, Tournament

CHUNK: Final = 200
# While entries may change, what entrants mix into the decks is nobody else's.
BEFORE_START: Final = (Tournament.State.DRAFT, Tournament.State.PUBLISHED, Tournament.State.REGISTRATION)


class Players:
    """The players of a document, in the order in which they are first named."""

    def __init__(self) -> None:
        self.rows: list[doc.Player] = []
        self._places: dict[int, int] = {}

    def place_of(self, player: models.Player) -> int:
        """Return the place of a player."""
        if player.pk not in self._places:
            self._places[player.pk] = len(self.rows)
            self.rows.append(_player(player))
        return self._places[player.pk]


def event_json(tournament: Tournament) -> bytes:
    """Write the event as `hanafuda-tournament/1`. A copy gives the bytes of its original."""
    return _encoded(tournament, event_of(tournament))


def document_of(tournament: Tournament, *, matches: bool = True, records: bool = False) -> doc.Event:
    """Return the contents of the file, without what is not asked for: for tables and calendars."""
    event = event_of(tournament, matches=matches or tournament.is_copy, records=records)
    return msgspec.json.decode(_encoded(tournament, event), type=doc.Event) if tournament.is_copy else event


def _encoded(tournament: Tournament, event: doc.Event) -> bytes:
    if tournament.copy_mask is None or tournament.copy_carried is None:
        return doc.encode(event)
    copies.put_back(event, tournament.copy_carried.data())
    data = translate(doc.encode(event), list(ids_of(event)), tournament.copy_mask)
    if not named_by_ids(event.tournament.policies):
        return data
    return doc.encode(msgspec.json.decode(data, type=doc.Event))  # keys that are ids in their own order again


def event_of(tournament: Tournament, *, matches: bool = True, records: bool = True) -> doc.Event:
    """Read the document, with the ids of the rows. matches, records: whether to read them at all."""
    players = Players()
    shown = ("player__bot__owner", "bot_version", "entered_by")
    entries = list(Entry.objects.filter(tournament=tournament).select_related(*shown).order_by("pk"))
    # By key, in the order in which rows were made: the same event gives the same bytes each time.
    listed = [_entry(row, players, is_open=tournament.state in BEFORE_START) for row in entries]
    rows = list(tournament.stages.select_related("ruleset").order_by("order"))
    aside = Stage.objects.filter(tournament=tournament, state=Stage.State.VOID).select_related("ruleset")
    rules = list(models.Progression.objects.filter(source__tournament=tournament).order_by("pk"))
    places = {rule.pk: at for at, rule in enumerate(rules)}
    to_match = match_with(players.place_of, records=records) if matches else None
    stages = [_stage(row, places, to_match) for row in rows]
    called_off = [_stage(row, places, to_match) for row in aside.order_by("order")]
    acts = feed_of(tournament).order_by("pk")
    return doc.Event(
        format="hanafuda-tournament/1",
        tournament=_tournament(tournament, policies_of(tournament, entries, rows)),
        players=players.rows,
        entries=listed,
        members=list(members_of(tournament)),
        draws=list(draws_of(tournament)),
        stages=stages,
        called_off=called_off,
        ways=[_way(rule, [row.pk for row in rows]) for rule in rules],
        log=[doc.Act(at=act.at, by=name_of(act.actor) or "", verb=act.verb, subject=act.subject) for act in acts],
    )


def name_of(user: User | None) -> str | None:
    """Return how a person is shown to others."""
    return user.shown_name if user is not None else None


def _tournament(row: Tournament, policies: dict[str, Any]) -> doc.Tournament:
    return doc.Tournament(
        uuid=row.uuid,
        slug=row.slug,
        name=row.name,
        description=row.description,
        state=row.state,  # type: ignore[arg-type]  # a test holds the words of both together
        visibility=row.visibility,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        time_zone=row.time_zone,
        min_entries=row.min_entries,
        max_entries=row.max_entries,
        entries_per_owner=row.entries_per_owner,
        entries_close_at=row.entries_close_at,
        starts_at=row.starts_at,
        venue=row.venue,
        policies=policies,
        reason=row.reason,
        created_by=row.created_by.shown_name,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )


def _player(row: models.Player) -> doc.Player:
    return doc.Player(
        kind=row.kind,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        name=row.name,
        club=row.club,
        owner=row.bot.owner.shown_name if row.bot else "",
        bot=row.bot.slug if row.bot else "",
    )


def _entry(row: Entry, players: Players, *, is_open: bool) -> doc.Entry:
    # A remote program is nobody's upload: records name no version of it either.
    is_remote = row.player.bot is not None and row.player.bot.remote
    version = row.bot_version if not is_remote else None
    return doc.Entry(
        uuid=row.uuid,
        player=players.place_of(row.player),
        version=doc.Version(n=version.n, hash=version.hash) if version else None,
        seed=row.seed,
        state=row.state,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        nonce="" if is_open else row.nonce,
        entered_by=row.entered_by.shown_name,
        created_at=row.created_at,
        copy=row.copy,
    )


def is_revealed(stage: Stage) -> bool:
    """Return whether the secret of its decks is public."""
    is_done = stage.state in (Stage.State.CLOSED, Stage.State.VOID)
    return stage.revealed_at is not None and is_done and bool(stage.secret)


def is_drawn_out(stage: Stage) -> bool:
    """Return whether its lots may be known: nothing is drawn by them any more, and decks cannot be told from them."""
    return is_revealed(stage) or stage.tournament.state == Tournament.State.CANCELLED


def _way(row: models.Progression, stages: list[int]) -> doc.Way:
    return doc.Way(
        source=stages.index(row.source_id),
        target=stages.index(row.target_id),
        order=row.order,
        first=row.first,
        last=row.last,
        most=row.most,
        by=row.by,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        carry=row.carry,  # type: ignore[arg-type]  # words of a choice, held equal by a test
    )


def _stage(row: Stage, rules: Mapping[int, int], to_match: Callable[[Match], doc.Match] | None) -> doc.Stage:
    # A chunk at a time: matches with their records are most of an event's memory.
    matches = [to_match(match) for match in shown_matches(row).iterator(chunk_size=CHUNK)] if to_match else []
    sets = {match.deal_set for match in matches}
    dealt = row.deal_sets.filter(uuid__in=[uuid for uuid in sets if uuid]).select_related("earlier").order_by("pk")
    return doc.Stage(
        uuid=row.uuid,
        order=row.order,
        name=row.name,
        state=row.state,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        scoring=row.scoring,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        legs=row.legs,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        ruleset=_ruleset(row.ruleset),
        clock=doc.Clock(name=row.clock, figures=row.clock_figures),
        tie_breaks=list(row.tie_breaks),
        edition=row.edition,  # type: ignore[arg-type]  # the editions there are, held equal by a test
        **{name: getattr(row, name) for name in PLAIN},
        secret=bytes(row.secret or b"").hex() if is_revealed(row) else None,
        mix=bytes(row.mix).hex() if row.mix else None,
        earlier=[_earlier(each) for each in row.earlier_secrets.order_by("number")],
        groups=[doc.Group(number=each.number, label=each.label) for each in row.groups.order_by("pk")],
        entries=list(_listed(row, rules)),
        rounds=[_round(each, row) for each in shown_rounds(row)],
        deal_sets=[_deal_set(each, row) for each in dealt],
        matches=matches,
        standings=list(_tables(row)),
        reason=row.reason,
        **_place(row),
        lots_rounds=row.lots_rounds if row.format.is_bracket and row.lots_rounds < Stage.ALL_ROUNDS else None,
    )


def _place(row: Stage) -> dict[str, Any]:
    """Return where a stage is played, and by whom."""
    # The file leaves out a default only if it is the very object that stands in the class.
    return {"where": intern(row.where), "site_clock": intern(row.site_clock), "admits_programs": row.admits_programs}


# Fields of a stage that stand in the document as they are.
PLAIN: Final = (
    "kind",
    "preset",
    "seats_min",
    "seats_pref",
    "seats_max",
    "rounds_planned",
    "advance",
    "third_place",
    "consolation",
    "bye_policy",
    "commitment",
    "revealed_at",
    "groups_n",
    "waits",
    "flows",
    "ends_at",
    "lots_seed",
    "draw_seed",
)


def _ruleset(row: models.Ruleset) -> doc.Ruleset:
    document = json.loads(row.canonical)
    return doc.Ruleset(game=document["game"], options=document["options"], hash=f"sha256:{row.sha256}")


def _listed(stage: Stage, rules: Mapping[int, int]) -> Iterator[doc.StageEntry]:
    given = models.Adjustment.objects.select_related("by", "revoked_by").order_by("pk")
    rows = stage.stage_entries.select_related("entry", "group").prefetch_related(Prefetch("adjustments", given))
    for row in rows.order_by("pk"):
        yield doc.StageEntry(
            id=str(row.pk),
            entry=row.entry.uuid,
            seed=row.seed,
            group=row.group.number if row.group else None,
            came=_came(row, rules),
            by_lots=row.by_lots,
            carry_in=row.carry_in,
            carry_also=row.carry_also,
            joined_round=row.joined_round,
            left_round=row.left_round,
            adjustments=[_adjustment(each) for each in row.adjustments.all()],
            strength=row.strength,
        )


def _came(row: models.StageEntry, rules: Mapping[int, int]) -> doc.Came | None:
    if row.came_by_id is None or row.came_place is None:
        return None
    return doc.Came(way=rules[row.came_by_id], place=row.came_place)


def _adjustment(row: models.Adjustment) -> doc.Adjustment:
    return doc.Adjustment(
        id=str(row.pk),
        round=row.round_number,
        units=row.units,
        reason=row.reason,
        by=row.by.shown_name,
        revoked_by=name_of(row.revoked_by),
        created_at=row.created_at,
        counts_in=_counts_in(row),
    )


def _counts_in(row: models.Adjustment) -> Literal["", "decider"]:
    return "decider" if row.counts_in == row.CountsIn.DECIDER else ""


def shown_rounds(stage: Stage) -> QuerySet[Round]:
    """Return the rounds that are out."""
    return stage.rounds.exclude(state=Round.State.DRAFT).order_by("pk")


def shown_matches(stage: Stage) -> QuerySet[Match]:
    """Return the matches that are out, with what the document says of them."""
    seats = models.Seat.objects.select_related("entry", "feed_match", "player__bot__owner", "bot_version")
    seats = seats.defer("log_marks")
    reports = models.ResultReport.objects.select_related("by", "record").order_by("pk")
    rows = Match.objects.filter(stage=stage).exclude(round__state=Round.State.DRAFT)
    rows = rows.select_related("round", "deal_set").order_by("pk")
    return rows.prefetch_related(Prefetch("seats", seats.order_by("index")), Prefetch("reports", reports))


def _round(row: Round, stage: Stage) -> doc.Round:
    return doc.Round(
        number=row.number,
        state=row.state,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        plan=row.plan,
        quality=row.quality,
        rng_seed=row.rng_seed if is_drawn_out(stage) else "",
    )


def _deal_set(row: models.DealSet, stage: Stage) -> doc.DealSet:
    seed = None
    if row.revealed_at is not None and (stage.secret or row.earlier is not None):
        uuid = other(row.uuid, stage.tournament.copy_mask)
        seed = seed_of_deals(stage, row, uuid).hex()
    return doc.DealSet(
        uuid=row.uuid,
        commit=row.commit,
        created_at=row.created_at,
        revealed_at=row.revealed_at,
        seed=seed,
        earlier=row.earlier.number if row.earlier is not None else None,
    )


def _earlier(row: models.EarlierSecret) -> doc.EarlierSecret:
    return doc.EarlierSecret(
        number=row.number,
        secret=bytes(row.secret).hex(),
        commitment=row.commitment,
        revealed_at=row.revealed_at,
    )


def _tables(stage: Stage) -> Iterator[doc.Table]:
    rows = Standing.objects.filter(stage=stage).select_related("entry").order_by("after_round", "row")
    tables: dict[int, doc.Table] = {}
    for row in rows:
        table = tables.setdefault(
            row.after_round, doc.Table(after_round=row.after_round, input_hash=row.input_hash, rows=[])
        )
        table.rows.append(_row(row))
    yield from tables.values()


def _row(row: Standing) -> doc.Row:
    explanation: list[dict[str, Any]] = row.explanation
    return doc.Row(entry=row.entry.uuid, rank=row.rank, row=row.row, key=row.key, explanation=explanation)
