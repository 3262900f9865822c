"""Units given or taken by hand, always with a reason: a preview of what would follow, then all of it or nothing.

An adjustment is a line of its own in the standings. It is never changed: it is revoked, and the line of the log stays.
The preview does all of it and rolls it back, so what it lists is what then changes (as of corrections).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from bots.models import AuditEvent
from core.errors import TournamentError
from tournaments.domain_events.stages import AdjustmentGiven, AdjustmentRevoked
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import ORGANISERS, RULERS, may
from tournaments.lifecycle.values import written_reason
from tournaments.models import Adjustment, Entry, Match, Stage, StageEntry, Tournament
from tournaments.progress import derive
from tournaments.progress.corrections import affected
from tournaments.progress.corrections.affected import Affected
from tournaments.progress.corrections.cascade import CHOICES, KEEP, follow_standings, refold, sign_again
from tournaments.standings import ledger_cache
from tournaments.undo.recorder import undoable

T, S = Tournament.State, Stage.State
# Not a rule of any game: a bound for exact sums, as `MAX_PARTS` is.
MAX_UNITS: Final = 100_000
MAX_PARTS: Final = 1000
# Adjustments of a stage, revoked ones among them.
MAX_GIVEN: Final = 500
# A sign, at most seven digits, and a fraction or decimals: short enough that no exact amount grows without bound.
UNITS: Final = re.compile(r"[+-]?\d{1,7}(?:/\d{1,4}|\.\d{1,3})?", re.ASCII)
STATES: Final = (T.RUNNING, T.PAUSED, T.FINISHED)
SCORE, DECIDER = Adjustment.CountsIn.SCORE.value, Adjustment.CountsIn.DECIDER.value


@dataclass(frozen=True, slots=True)
class Adjusting:
    """Preview of an adjustment.

    units: exact text; round_number: None counts for the whole stage; revokes: the one it revokes; counts_in: as of the
    row.

    changes: every row of the event that would be different. then: what becomes of things that people have begun
    already ("keep", "redo"). hash: names exactly this.
    """

    stage: Stage
    entry: Entry
    units: str
    reason: str
    round_number: int | None
    then: str
    counts_in: str = SCORE
    revokes: Adjustment | None = None
    changes: tuple[Affected, ...] = ()
    hash: str = ""

    @property
    def moves(self) -> tuple[Affected, ...]:
        """Changes in the table of the stage: (rank, first figure) before and after."""
        own = self.stage.order
        return tuple(row for row in self.changes if row.kind == affected.STANDING and row.stage == own)

    @property
    def others(self) -> tuple[Affected, ...]:
        """Changes besides standings: tables, rounds, stages, who goes on."""
        return tuple(row for row in self.changes if row.kind != affected.STANDING)


def exact_units(text: str) -> str:
    """Read the text ("-50", "1/2", "0.5") as an exact amount. Raises TournamentError "adjust.bad_units"."""
    plain = text.strip().replace("\N{MINUS SIGN}", "-")
    amount = Fraction(plain) if UNITS.fullmatch(plain) and not re.search("/0+$", plain) else Fraction(0)
    # Bounds of both parts: sums of fractions with other denominators grow with every term.
    if amount == 0 or abs(amount) > MAX_UNITS or amount.denominator > MAX_PARTS:
        message = _("Enter a number such as 10, -50 or 1/2: not 0, at most %(most)s.") % {"most": MAX_UNITS}
        raise TournamentError(message, code="adjust.bad_units", extra={"most": MAX_UNITS})
    return str(amount)


def preview_adjustment(
    *,
    stage: Stage,
    entry: Entry,
    by: User,
    units: str,
    reason: str,
    round_number: int | None = None,
    then: str = KEEP,
    counts_in: str = SCORE,
) -> Adjusting:
    """Show what would follow if the entry were given these units (taken, where negative). Changes nothing.

    round_number: the round it counts from, None for the whole stage. counts_in: "decider" for what an extra deal or
    match decided. Raises TournamentError "adjust.bad_units", "adjust.reason_needed" and its kind,
    "tournament.not_organiser", "adjust.not_running", "adjust.not_begun", "adjust.not_in_stage", "adjust.no_round",
    "adjust.too_many", "adjust.bad_then", "adjust.no_decider".
    """
    return _previewed(_wanted(stage, entry, units, reason, round_number, then, counts_in), by)


@undoable("adjust", RULERS, never_of_bots=True)
def adjust(
    *,
    stage: Stage,
    entry: Entry,
    by: User,
    units: str,
    reason: str,
    seen: str,
    round_number: int | None = None,
    then: str = KEEP,
    counts_in: str = SCORE,
) -> Adjustment:
    """Do what was previewed. seen: its hash. All or nothing; a second click finds it done and changes nothing.

    Raises what `preview_adjustment` raises, and "adjust.moved" (something changed since).
    """
    return _applied(_wanted(stage, entry, units, reason, round_number, then, counts_in), by, seen)


def preview_revocation(*, adjustment: Adjustment, by: User, reason: str, then: str = KEEP) -> Adjusting:
    """Show what would follow if what was given or taken counted no more. Changes nothing.

    Raises as `preview_adjustment` does, and "adjust.already_revoked".
    """
    return _previewed(_revoking(adjustment, reason, then), by)


@undoable("revoke", RULERS, never_of_bots=True)
def revoke(*, adjustment: Adjustment, by: User, reason: str, seen: str, then: str = KEEP) -> Adjustment:
    """Do what was previewed: it counts no more, and the log keeps both.

    Raises what `preview_revocation` raises, and "adjust.moved".
    """
    return _applied(_revoking(adjustment, reason, then), by, seen)


def _wanted(
    stage: Stage, entry: Entry, units: str, reason: str, number: int | None, then: str, counts_in: str
) -> Adjusting:
    if counts_in != SCORE and (counts_in != DECIDER or DECIDER not in stage.tie_breaks):
        message = _("This stage has no decider among its tie-breaks. Give or deduct points.")
        raise TournamentError(message, code="adjust.no_decider", extra={"field": "counts_in"})
    reason = written_reason(reason, kind="adjust")
    return Adjusting(stage, entry, exact_units(units), reason, number, _choice(then), counts_in)


def _revoking(row: Adjustment, reason: str, then: str) -> Adjusting:
    stage, entry = row.stage_entry.stage, row.stage_entry.entry
    reason = written_reason(reason, kind="adjust")
    return Adjusting(stage, entry, row.units, reason, row.round_number, _choice(then), row.counts_in, row)


def _choice(then: str) -> str:
    if then not in CHOICES:
        message = _("Choose whether to keep the tables that people have begun or to play them again.")
        raise TournamentError(message, code="adjust.bad_then", extra={"allowed": list(CHOICES)})
    return then


def _previewed(wanted: Adjusting, by: User) -> Adjusting:
    try:
        with transaction.atomic():
            found, _row = _done(wanted, by, [])
            transaction.set_rollback(True)
    finally:
        # The ledgers of this process know no rollback: they are built again.
        _discard_tables(wanted)
    return found


def _applied(wanted: Adjusting, by: User, seen: str) -> Adjustment:
    events: list[DomainEvent] = []
    try:
        with transaction.atomic():
            # Before a first click is looked for: of two clicks the second waits here and then finds what the first has
            # given.
            locks.lock_standings(wanted.stage.tournament)
            if (before := _given_before(wanted, by, seen)) is not None:
                return before
            found, row = _done(wanted, by, events)
            if found.hash != seen:
                message = _("Something changed in the meantime. Check the consequences again, then decide.")
                raise TournamentError(message, code="adjust.moved")
            _write_down(found, row, by, seen)
            publish(*events)
    except BaseException:
        _discard_tables(wanted)
        raise
    return row


def _discard_tables(wanted: Adjusting) -> None:
    """Clear the ledgers of what was folded and rolled back."""
    ledger_cache.discard(
        list(Stage.objects.filter(tournament=wanted.stage.tournament_id).values_list("uuid", flat=True))
    )


def _given_before(wanted: Adjusting, by: User, seen: str) -> Adjustment | None:
    """Return what a first click on the same button has given already."""
    if wanted.revokes is not None:
        return None
    lines = AuditEvent.objects.filter(channel=wanted.stage.tournament.channel, verb=AdjustmentGiven.topic, actor=by)
    line = lines.filter(after__seen=seen).order_by("-pk").first()
    return Adjustment.objects.filter(pk=line.after["adjustment"]).first() if line is not None else None


def _done(wanted: Adjusting, by: User, events: list[DomainEvent]) -> tuple[Adjusting, Adjustment]:
    """Do all of it. Needs a transaction; a preview rolls it back."""
    listed = _locked(wanted, by)
    stage = listed.stage
    event = stage.tournament
    # First up to date, or the changes would list what had been waiting to be folded.
    refold(stage)
    before, known = affected.rows_of(event), _known(stage)
    row = _written(wanted, listed, by)
    if derive.recalculate(stage):
        events.append(derive.news_of(stage))
    follow_standings(stage, by, wanted.then, events)
    if event.is_of_people:
        refold(stage)
    changes = affected.between(before, affected.rows_of(event))
    given = (str(wanted.entry.uuid), wanted.units, str(wanted.round_number), wanted.counts_in)
    about = (*given, wanted.reason, wanted.then, known)
    act = str(wanted.revokes.pk) if wanted.revokes is not None else "give"
    named = () if stage.format.ranks_by_rating else changes  # its table moves with every result
    return replace(wanted, stage=stage, changes=changes, hash=affected.digest(named, act, *about)), row


def _known(stage: Stage) -> str:
    """Describe everything given and revoked so far, in short."""
    rows = Adjustment.objects.filter(stage_entry__stage=stage).order_by("pk").values_list("pk", "revoked_by")
    return " ".join(f"{pk}{'-' if revoked else ''}" for pk, revoked in rows)


def _written(wanted: Adjusting, listed: StageEntry, by: User) -> Adjustment:
    old = wanted.revokes
    if old is not None:
        old.revoked_by = by
        old.save(update_fields=["revoked_by"])
        return old
    return Adjustment.objects.create(
        stage_entry=listed,
        round_number=wanted.round_number,
        units=wanted.units,
        counts_in=wanted.counts_in,
        reason=wanted.reason,
        by=by,
    )


def _locked(wanted: Adjusting, by: User) -> StageEntry:
    """Return the entry in its stage under the event's lock, if this person may adjust it now."""
    locks.lock_standings(wanted.stage.tournament)
    stage = Stage.objects.select_related("tournament", "ruleset").get(pk=wanted.stage.pk)
    event = stage.tournament
    may(event, by, ORGANISERS if event.state == T.FINISHED else RULERS, "adjust")
    if event.is_of_people:  # all at once: what follows may change any of them
        matches = Match.objects.select_for_update(of=("self",)).filter(stage__tournament=event)
        list(matches.order_by("pk").values_list("pk"))
    _require_possible(stage)
    rows = StageEntry.objects.select_related("entry__player").filter(stage=stage, entry=wanted.entry.pk)
    listed = rows.first()
    if listed is None:
        message = _("They do not play in this stage. Choose somebody from its table.")
        raise TournamentError(message, code="adjust.not_in_stage")
    listed.stage = stage
    _require_sound(wanted, stage)
    return listed


def _require_possible(stage: Stage) -> None:
    if stage.tournament.state not in STATES or stage.state not in (S.ACTIVE, S.SETTLING, S.CLOSED):
        message = _("The event is not running, so you cannot give or deduct points. Ask the organiser.")
        raise TournamentError(message, code="adjust.not_running", extra={"state": stage.tournament.state})
    if not stage.matches.exclude(state=Match.State.READY).exists():
        message = _("No table of this stage has begun. Call its first round, then give or deduct points.")
        raise TournamentError(message, code="adjust.not_begun")


def _require_sound(wanted: Adjusting, stage: Stage) -> None:
    if wanted.revokes is not None:
        # Under the lock, from the database: another arbiter may have revoked it since the page was loaded.
        wanted.revokes.refresh_from_db(fields=["revoked_by"])
        if wanted.revokes.revoked_by_id is not None:
            message = _("It is already revoked: somebody else (or a second click) was faster. Nothing was done twice.")
            raise TournamentError(message, code="adjust.already_revoked")
        return
    if wanted.round_number is not None and not stage.rounds.filter(number=wanted.round_number).exists():
        message = _("Round %(n)s of this stage is not drawn. Choose one that is, or the whole stage.")
        raise TournamentError(message % {"n": wanted.round_number}, code="adjust.no_round")
    if Adjustment.objects.filter(stage_entry__stage=stage).count() >= MAX_GIVEN:
        message = _("This stage already has %(most)s adjustments. Correct results instead.")
        raise TournamentError(message % {"most": MAX_GIVEN}, code="adjust.too_many", extra={"most": MAX_GIVEN})


def _write_down(found: Adjusting, row: Adjustment, by: User, seen: str) -> None:
    event, verb = found.stage.tournament, AdjustmentGiven if found.revokes is None else AdjustmentRevoked
    details: dict[str, Any] = {
        "adjustment": row.pk,
        "stage": found.stage.order,
        "units": found.units,
        "round": found.round_number,
    }
    if found.counts_in:
        details["counts_in"] = found.counts_in
    after = {**details, "reason": found.reason, "seen": seen}
    if found.others:
        after |= {"then": found.then, "rows": len(found.changes)}
    audit(verb, f"entry:{found.entry.uuid}", actor=by, channel=event.channel, after=after)
    publish(verb.of(event.channel, {"entry": str(found.entry.uuid), **details}))
    if event.state == T.FINISHED:
        sign_again(event, by, found.reason)
