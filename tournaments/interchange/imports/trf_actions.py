"""Imports of FIDE reports (TRF) by a person: a preview, and making a new event, never a change of one.

A report with rounds becomes an event that is paused: nothing happens in it before its organiser lets it go on, or, if
all its rounds are played, signs it. A mere list of players becomes a draft. It is found by its address alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from fractions import Fraction
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.formats import format_of
from core.interchange.model import Event, Mark
from core.interchange.trf_read import MAX_ROUNDS, Reading, reading
from engine.game import game_of
from engine.games import PRESETS
from tournaments.domain_events.tournaments import TournamentImported
from tournaments.events.create import create_tournament
from tournaments.events.validation import MAX_ENTRIES
from tournaments.interchange.imports import trf as rows
from tournaments.interchange.imports.actions import PER_HOUR
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.lifecycle.transitions import act, label
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.models import Stage, Tournament
from tournaments.progress.rounds import close_stage
from tournaments.progress.run import make_secrets
from web.rate_limits import count

MAX_BYTES: Final = 2 * 1024 * 1024
# Formats that a report is read as, FIDE's own system first.
KINDS: Final = ("dutch", "swiss", "round_robin")
BYES: Final = {Fraction(1): "full", Fraction(1, 2): "half", Fraction(0): "zero"}
TWO: Final = 2


@dataclass(frozen=True, slots=True)
class CheckedReport:
    """A report that can be imported. absent: numbers of players who were not there in its last round."""

    reading: Reading
    sha256: str
    absent: tuple[int, ...]

    @property
    def event(self) -> Event:
        """Contents of the report."""
        return self.reading.event

    @property
    def open(self) -> int:
        """Games without a result."""
        return sum(Mark.OPEN in game.marks for game in self.event.games)

    @property
    def rounds(self) -> int:
        """Number of rounds there are to be, as far as the report says."""
        return max(self.event.rounds, self.event.last_round, 1)

    @property
    def is_over(self) -> bool:
        """True if every round that was planned has all its results."""
        return not self.open and 0 < self.event.last_round >= self.event.rounds

    @property
    def kind(self) -> str:
        """Format of its pairings, as far as the report says."""
        return KINDS[-1] if self.event.is_round_robin else KINDS[0]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Choices that a report does not make, or makes for another game.

    left: numbers of players who left; None: the absent.

    rounds: planned, 0: as the report has it. sign: close the stage at once, if everything is played.
    """

    preset: str = "hawaii"
    kind: str = ""
    name: str = ""
    rounds: int = 0
    left: Collection[int] | None = None
    sign: bool = False


def presets() -> list[str]:
    """Return the presets that two can play."""
    return [name for name, preset in PRESETS.items() if game_of(preset.game).seat_range[0] <= TWO]


def validate_report(*, by: User, data: bytes) -> CheckedReport:
    """Read what a report holds and what of it would be left out. Writes nothing.

    Raises InterchangeError "trf.*" (extra: line, where) and "event.rate" (extra: retry_after).
    """
    wait = count(f"event.import:{by.pk}", most=PER_HOUR, within=timedelta(hours=1))
    if wait is not None:
        message = _("You have reached the limit of %(n)s files an hour. Try again in %(minutes)s minutes.")
        shown = {"n": PER_HOUR, "minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="event.rate", extra={"retry_after": wait})
    return validate_trf(data)


def validate_trf(data: bytes) -> CheckedReport:
    """Read the same without counting requests: for commands."""
    if len(data) > MAX_BYTES:
        message = _("A report may have at most %(most)s bytes. This file is not a report, or holds more than an event.")
        raise TournamentError(message % {"most": MAX_BYTES}, code="trf.too_large", extra={"where": ""})
    found = reading(data)
    if len(found.event.players) > MAX_ENTRIES:
        message = _("The report has %(n)s players; an event takes at most %(most)s.")
        shown = {"n": len(found.event.players), "most": MAX_ENTRIES}
        raise TournamentError(message % shown, code="trf.too_many", extra={"where": "", **shown})
    absent = tuple(rows.absent_at_the_end(found.event))
    return CheckedReport(found, hashlib.sha256(data).hexdigest(), absent)


def import_report(*, by: User, checked: CheckedReport, wanted: Wanted) -> Tournament:
    """Make the event, all of it or nothing.

    Raises TournamentError "tournament.*" (name, rounds, preset, rate), "trf.kind" for a round robin that is not told
    whole, "trf.left" for numbers that nobody has.
    """
    event = checked.event
    plan = _plan(checked, wanted)
    left = frozenset(checked.absent if wanted.left is None else wanted.left)
    if not left <= {player.number for player in event.players}:
        raise TournamentError(_("Somebody marked as having left is not in the report."), code="trf.left")
    with transaction.atomic():
        tournament = create_tournament(by=by, plan=plan)
        course = rows.Course(event, rows.enter(tournament, event, by), left)
        rows.store_settings(tournament, course)
        if event.last_round:
            _start(tournament, course, by)
        tournament.refresh_from_db()
        audit(
            TournamentImported,
            label(tournament),
            actor=by,
            channel=tournament.channel,
            after=_audit_details(tournament, checked),
        )
        publish(TournamentImported(tournament.channel))
        if wanted.sign and checked.is_over:
            _sign(tournament, event, by)
    return tournament


def _audit_details(tournament: Tournament, checked: CheckedReport) -> dict[str, object]:
    return {"state": tournament.state, "file": checked.sha256, "left_out": len(checked.reading.remarks)}


def planned_bounds(checked: CheckedReport) -> tuple[int, int]:
    """Return the bounds of the number of rounds: those that the report has, and more."""
    return max(checked.event.last_round, 1), MAX_ROUNDS


def _plan(checked: CheckedReport, wanted: Wanted) -> EventPlan:
    event, kind = checked.event, wanted.kind or checked.kind
    if kind not in KINDS:
        raise bad_value("kind", kind, KINDS)
    if wanted.preset not in presets():
        raise bad_value("preset", wanted.preset, tuple(presets()))
    rounds = wanted.rounds or checked.rounds
    low, high = planned_bounds(checked)
    if not low <= rounds <= high:
        raise bad_number("rounds", rounds, low, high)
    is_round_robin = format_of(kind).meets_everybody
    if is_round_robin:
        _refuse_partial(event)
    return EventPlan(
        name=wanted.name.strip() or event.name,
        preset=wanted.preset,
        who="people",
        seats=TWO,
        kind=kind,
        rounds=1 if is_round_robin else rounds,
        scoring=Stage.Scoring.PLACE.value,
        tie_breaks=event.tie_breaks or ("bh", "bhc1", "sb"),
        bye_policy=BYES[event.bye],
        visibility=Tournament.Visibility.UNLISTED.value,
        max_entries=min(MAX_ENTRIES, max(64, 2 * len(event.players))),
    )


def _refuse_partial(event: Event) -> None:
    """Refuse a part of a round robin, which is drawn as a whole: every two meet once, and the report says where."""
    players = len(event.players)
    met = {frozenset((game.first, game.second)) for game in event.games}
    if event.games and len(met) < players * (players - 1) // 2:
        message = _(
            "This report is not a complete round robin, but a round robin is drawn as a whole. Import it as a "
            "Swiss, or add the open pairings to the report."
        )
        raise TournamentError(message, code="trf.kind", extra={"where": ""})


def _start(tournament: Tournament, course: rows.Course, by: User) -> None:
    """Open the event, start it with the rounds of the report, and pause it."""
    tournament.refresh_from_db()
    for verb in ("publish", "open_registration"):
        act(tournament, verb, by)
    make_secrets(tournament)
    rows.write(tournament, course, by, rows.plans_of(course))
    act(tournament, "pause", by)


def _sign(tournament: Tournament, event: Event, by: User) -> None:
    act(tournament, "resume", by)
    close_stage(stage=tournament.stages.select_related("tournament", "ruleset").get(), by=by)
    if event.ends is not None:
        ended = datetime.combine(event.ends, time(12), tzinfo=UTC)
        Tournament.objects.filter(pk=tournament.pk).update(finished_at=ended)
    tournament.refresh_from_db()
