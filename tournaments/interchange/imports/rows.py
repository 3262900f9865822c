"""Rows of a copy of an event that is over, its teams and draws of partners among them.

Its people and bots are names only: no account, bot or rating gets a result from a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec

from accounts.models import User
from bots.models import Blob
from core.interchange.documents import event as doc
from core.interchange.documents import teams as told
from core.interchange.documents.proof import document_of, rules_of
from core.interchange.errors import refusal
from engine.canonical import canonical
from engine.errors import DomainError
from engine.game import Ruleset as Rules
from tournaments import models
from tournaments.interchange.settings_document import columns_from, fixed_tables_from, stage_columns_from, write_rows
from tournaments.matches.records.results import body_of, fill_seats, spec_for
from tournaments.matches.report_bodies import hash_of
from tournaments.models import (
    DealSet,
    Entry,
    Match,
    Member,
    PartnerDraw,
    Player,
    ResultReport,
    Round,
    Seat,
    Stage,
    StageEntry,
    Tournament,
)

CHUNK: Final = 500
SETTINGS: Final = (
    "name",
    "description",
    "time_zone",
    "starts_at",
    "venue",
    "min_entries",
    "max_entries",
    "entries_per_owner",
)
FIGURES: Final = ("points", "victories", "raw_points", "raw_victories", "place", "outcome", "fault")
LISTED: Final = ("seed", "by_lots", "carry_in", "carry_also", "joined_round", "left_round", "strength")
# Errors that counting a result that is none may raise.
BROKEN: Final = (DomainError, KeyError, IndexError, TypeError, ValueError, AssertionError, ArithmeticError)
SHAPE: Final = (
    "kind",
    "preset",
    "seats_min",
    "seats_pref",
    "seats_max",
    "rounds_planned",
    "advance",
    "third_place",
    "consolation",
    "scoring",
    "bye_policy",
    "edition",
    "legs",
    "name",
    "order",
    "groups_n",
    "waits",
    "flows",
    "where",
    "site_clock",
    "admits_programs",
    "ends_at",
    "lots_seed",
    "draw_seed",
)


def write(event: doc.Event, played: doc.Event, *, by: User, slug: str, mark: Mapping[str, Any]) -> Tournament:
    """Write everything but the standings.

    event: with the ids of the copy; played: the same with its own and the records.

    Raises InterchangeError "event.result" for a result that its report does not give.
    """
    row = _tournament(event.tournament, by, slug, mark)
    players = Player.objects.bulk_create(
        [Player(kind=Player.Kind.HUMAN, name=each.name, club=each.club) for each in event.players], batch_size=CHUNK
    )
    entries = _entries(row, event, players, by)
    write_teams(row, event, entries, by=by)
    policies = event.tournament.policies
    stages = [_stage(row, document, stage_columns_from(policies, document.order)) for document in event.stages]
    rules = models.Progression.objects.bulk_create(_way(document, stages) for document in event.ways)
    for at, (stage, document, original) in enumerate(zip(stages, event.stages, played.stages, strict=True)):
        _listed(stage, document, entries, rules, by)
        _Matches(stage, document, players, entries).write(original, where=f"stages[{at}]")
    for at, (document, original) in enumerate(zip(event.called_off, played.called_off, strict=True)):
        stage = _stage(row, document, {})
        _listed(stage, document, entries, rules, by)
        _Matches(stage, document, players, entries).write(original, where=f"called_off[{at}]")
    write_rows(row, policies, entries, stages)
    return row


def _tournament(document: doc.Tournament, by: User, slug: str, mark: Mapping[str, Any]) -> Tournament:
    """Make the row, never public: a file is the word of its sender alone."""
    is_private = document.visibility == "private"
    return Tournament.objects.create(
        uuid=document.uuid,
        slug=slug,
        created_by=by,
        state=document.state,
        visibility=Tournament.Visibility.PRIVATE if is_private else Tournament.Visibility.UNLISTED,
        settings_as_imported=document.policies,
        reason=document.reason,
        entries_close_at=document.entries_close_at,
        started_at=document.started_at,
        finished_at=document.finished_at,
        **{name: getattr(document, name) for name in SETTINGS},
        **columns_from(document.policies),
        **mark,
    )


def _entries(row: Tournament, event: doc.Event, players: list[Player], by: User) -> dict[UUID, Entry]:
    tables = fixed_tables_from(event.tournament.policies)
    made = [
        Entry(
            uuid=each.uuid,
            tournament=row,
            player=players[each.player],
            seed=each.seed,
            state=each.state,
            nonce=each.nonce,
            entered_by=by,
            copy=each.copy,
            fixed_table=tables.get(str(each.uuid)),
        )
        for each in event.entries
    ]
    return {entry.uuid: entry for entry in Entry.objects.bulk_create(made, batch_size=CHUNK)}


def _stage(row: Tournament, document: doc.Stage, seeding: Mapping[str, Any]) -> Stage:
    return Stage.objects.create(
        uuid=document.uuid,
        tournament=row,
        state=document.state,
        ruleset=ruleset_row(rules_of(document)),
        tie_breaks=list(document.tie_breaks),
        clock=document.clock.name,
        clock_figures=document.clock.figures,
        commitment=document.commitment,
        secret=bytes.fromhex(document.secret) if document.secret is not None else None,
        mix=bytes.fromhex(document.mix) if document.mix is not None else None,
        revealed_at=document.revealed_at,
        reason=document.reason,
        # A file of before this rule says nothing of it: in all of its rounds lots decided level matches.
        lots_rounds=Stage.ALL_ROUNDS if document.lots_rounds is None else document.lots_rounds,
        **{name: getattr(document, name) for name in SHAPE},
        **seeding,
    )


def _way(document: doc.Way, stages: list[Stage]) -> models.Progression:
    return models.Progression(
        source=stages[document.source],
        target=stages[document.target],
        **{name: getattr(document, name) for name in ("order", "first", "last", "most", "by", "carry")},
    )


def ruleset_row(rules: Rules) -> models.Ruleset:
    """Return the row of a ruleset, made if it is new."""
    values = {"game": rules.game, "canonical": rules.canonical()}
    row, _made = models.Ruleset.objects.get_or_create(sha256=rules.hash.removeprefix("sha256:"), defaults=values)
    return row


def _listed(
    stage: Stage, document: doc.Stage, entries: Mapping[UUID, Entry], rules: list[models.Progression], by: User
) -> None:
    groups = models.Group.objects.bulk_create(
        models.Group(stage=stage, number=each.number, label=each.label) for each in document.groups
    )
    numbered = {group.number: group for group in groups}
    rows = [
        StageEntry(
            stage=stage,
            entry=entries[each.entry],
            group=numbered[each.group] if each.group is not None else None,
            came_by=rules[each.came.way] if each.came is not None else None,
            came_place=each.came.place if each.came is not None else None,
            **{name: getattr(each, name) for name in LISTED},
        )
        for each in document.entries
    ]
    made = StageEntry.objects.bulk_create(rows, batch_size=CHUNK)
    given = [
        models.Adjustment(
            stage_entry=row,
            round_number=each.round,
            units=each.units,
            counts_in=each.counts_in,
            reason=each.reason,
            by=by,
            revoked_by=by if each.revoked_by is not None else None,
        )
        for row, listed in zip(made, document.entries, strict=True)
        for each in listed.adjustments
    ]
    models.Adjustment.objects.bulk_create(given, batch_size=CHUNK)


class _Matches:
    """The rounds, deal sets, matches, seats and reports of one stage."""

    def __init__(self, stage: Stage, document: doc.Stage, players: list[Player], entries: Mapping[UUID, Entry]) -> None:
        self.stage, self.document, self.players, self.entries = stage, document, players, entries
        self.earlier = {row.number: row for row in models.EarlierSecret.objects.bulk_create(self._earlier())}
        self.rounds = {row.number: row for row in Round.objects.bulk_create(self._rounds(), batch_size=CHUNK)}
        self.sets = {row.uuid: row for row in DealSet.objects.bulk_create(self._sets(), batch_size=CHUNK)}
        # One insert after another: matches name rounds and deal sets by keys that are known only then.
        made = Match.objects.bulk_create([self._match(each) for each in document.matches], batch_size=CHUNK)
        self.matches = {row.uuid: row for row in made}

    def _rounds(self) -> list[Round]:
        return [
            Round(
                stage=self.stage,
                number=each.number,
                state=each.state,
                plan=each.plan,
                quality=each.quality,
                rng_seed=each.rng_seed,
            )
            for each in self.document.rounds
        ]

    def _earlier(self) -> list[models.EarlierSecret]:
        return [
            models.EarlierSecret(
                stage=self.stage,
                number=each.number,
                secret=bytes.fromhex(each.secret),
                commitment=each.commitment,
                revealed_at=each.revealed_at,
            )
            for each in self.document.earlier
        ]

    def _sets(self) -> list[DealSet]:
        return [
            DealSet(
                uuid=each.uuid,
                stage=self.stage,
                commit=each.commit,
                revealed_at=each.revealed_at,
                earlier=self.earlier[each.earlier] if each.earlier is not None else None,
            )
            for each in self.document.deal_sets
        ]

    def _match(self, document: doc.Match) -> Match:
        return Match(
            uuid=document.uuid,
            stage=self.stage,
            round=self.rounds[document.round] if document.round is not None else None,
            deal_set=self.sets[document.deal_set] if document.deal_set is not None else None,
            leg=document.leg,
            extra=document.extra,
            table_no=document.table,
            station=document.station,
            seats_n=document.seats_n,
            state=document.state,
            attempt=document.attempt,
            why=document.why,
            queued_at=document.queued_at,
            claimed_at=document.claimed_at,
            finished_at=document.finished_at,
        )

    def write(self, played: doc.Stage, *, where: str) -> None:
        """Write seats and reports, each result counted again from its report."""
        seats: list[Seat] = []
        reports: list[ResultReport] = []
        for at, (document, original) in enumerate(zip(self.document.matches, played.matches, strict=True)):
            row = self.matches[document.uuid]
            here = [self._seat(row, each) for each in document.seats]
            self._write_reports(row, here, original, f"{where}.matches[{at}]")
            seats += here
            reports += _reports(row, original)
        Seat.objects.bulk_create(seats, batch_size=CHUNK)
        ResultReport.objects.bulk_create(reports, batch_size=CHUNK)

    def _seat(self, match: Match, document: doc.Seat) -> Seat:
        return Seat(
            match=match,
            index=document.index,
            side=document.side,
            entry=self.entries[document.entry] if document.entry is not None else None,
            feed_match=self.matches[document.feed.match] if document.feed is not None else None,
            feed_place=document.feed.place if document.feed is not None else None,
            player=self.players[document.player] if document.player is not None else None,
            cpu_ms=document.cpu_ms,
            version_n=document.version.n if document.version is not None else None,
            board=document.board,
            **{name: getattr(document, name) for name in FIGURES},
        )

    def _write_reports(self, match: Match, seats: list[Seat], document: doc.Match, where: str) -> None:
        """Check that the seats hold what the confirmed report says, and the report what the record says."""
        for report in document.reports:
            # A decision of a level match is added to a report later and stands in no record.
            without = {name: value for name, value in report.body.items() if name != "decided"}
            if report.record is not None and body_of(report.record.record) != without:
                raise _not_so(where, "the report is not the record's")
            if report.source == "people" and hash_of(report.body) != report.hash:
                raise _not_so(where, "the hash is not the report's")
            if report.state == "confirmed":
                before = list(_figures(seats))
                try:
                    fill_seats(match, seats, report.body, spec_for(self.stage))
                except BROKEN as wrong:
                    raise _not_so(where, "it cannot be counted") from wrong
                if before != list(_figures(seats)):
                    raise _not_so(where, "the seats say otherwise than the report")


def _figures(seats: list[Seat]) -> Iterator[list[object]]:
    for seat in seats:
        yield [getattr(seat, name) for name in FIGURES]


def _not_so(where: str, why: str) -> DomainError:
    return refusal("event.result", "At %(where)s the result is invalid: %(why)s.", where=where, why=why)


def _reports(match: Match, document: doc.Match) -> Iterator[ResultReport]:
    for each in document.reports:
        record = None
        if each.record is not None:
            record = Blob.objects.put(canonical(document_of(each.record, each.hash)))
        yield ResultReport(
            match=match,
            version=each.version,
            attempt=each.attempt,
            source=each.source,
            state=each.state,
            body=each.body,
            hash=each.hash,
            record=record,
            reason=each.reason,
        )


def write_teams(row: Tournament, event: doc.Event, entries: Mapping[UUID, Entry], *, by: User) -> None:
    """Write members and draws. entries: the copy's, by their ids. by: stands in for those who did it."""
    Member.objects.bulk_create(
        Member(
            team=entries[each.team],
            person=entries[each.person],
            number=each.number,
            from_stage=each.from_stage,
            from_round=each.from_round,
            until_stage=each.until_stage,
            until_round=each.until_round,
        )
        for each in event.members
    )
    PartnerDraw.objects.bulk_create(_draw(row, each, by) for each in event.draws)


def _draw(row: Tournament, document: told.PartnerDraw, by: User) -> PartnerDraw:
    return PartnerDraw(
        tournament=row,
        number=document.number,
        commitment=document.commitment,
        secret=bytes.fromhex(document.seed or ""),
        rule=document.rule,
        size=document.size,
        listed=msgspec.to_builtins(document.listed),
        teams=msgspec.to_builtins(document.teams),
        left=msgspec.to_builtins(document.left),
        age_gap=document.age_gap,
        too_close=document.too_close,
        drawn_at=document.drawn_at,
        drawn_by=by if document.drawn_by is not None else None,
        undone_at=document.undone_at,
        undone_by=by if document.undone_by is not None else None,
        reason=document.reason,
    )
