"""Ladders: their bounds, entries that come and go while one runs, and its end before its time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity import wake_ups
from activity.journal import audit, publish
from core.errors import TournamentError
from core.formats import format_of, kinds
from tournaments.domain_events.tournaments import LadderEnded
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.lifecycle.values import bad_value
from tournaments.models import Entry, Stage, StageEntry, Tournament

MAX_PLAYED: Final = 1_000
MAX_ENTRIES: Final = 2_000
# The seeds' secret is shown when a stage closes: nobody waits longer for it (tournaments.md section 11).
MAX_DURATION: Final = timedelta(days=31)
GOES_ON: Final = (Tournament.State.RUNNING, Tournament.State.PAUSED)


def validate_ladder(plan: EventPlan) -> None:
    """Refuse a ladder that cannot be: it is the only stage of an event of bots, in one group, and ends some time.

    Raises TournamentError "tournament.bad_kind", "tournament.bad_groups", "tournament.bad_who", "ladder.endless",
    "ladder.bad_end".
    """
    endless = [stage.kind for stage in plan.stages if format_of(stage.kind).is_open_ended]
    if not endless:
        return
    if len(plan.stages) > 1:
        raise bad_value("kind", endless[0], (_("another stage in an event of several stages"),))
    if plan.groups != 1:
        raise bad_value("groups", plan.groups, ("1",))
    if plan.who != "bots":
        raise bad_value("who", plan.who, ("bots",))
    if plan.ends_at is None and not plan.rounds:
        message = _("A ladder needs an end: a time, a number of deal sets for each entry, or both.")
        raise TournamentError(message, code="ladder.endless", extra={"field": "ends_at"})
    now = timezone.now()
    if plan.ends_at is not None and not now < plan.ends_at <= now + MAX_DURATION:
        message = _(
            "A ladder ends within %(days)s days from now: its decks are shown then. Choose a time in that range."
        )
        shown = {"days": MAX_DURATION.days}
        raise TournamentError(message % shown, code="ladder.bad_end", extra={"field": "ends_at"})


def ladder_of(event: Tournament) -> Stage | None:
    """Return the stage of an event that is a ladder; None if it is another event."""
    return event.stages.filter(kind__in=kinds(lambda each: each.is_always_open)).first()


def is_joinable(event: Tournament) -> bool:
    """Return whether bots may come and go although the event runs: a ladder whose time is not up."""
    if event.state not in GOES_ON:
        return False
    stage = ladder_of(event)
    return stage is not None and stage.state == Stage.State.ACTIVE and not has_ended(stage)


def has_ended(stage: Stage) -> bool:
    """Return whether its time is up."""
    return stage.ends_at is not None and stage.ends_at <= timezone.now()


def join(entries: list[Entry]) -> None:
    """Let entries into a ladder that runs. Needs the event's row lock."""
    for entry in entries:
        stage = ladder_of(entry.tournament)
        if stage is not None:
            enter_stage(stage, [entry])


def leave(entry: Entry) -> None:
    """Draw nothing more for it; drawn matches are played, its results stay. Needs the event's row lock."""
    leave_stage(entry)


def end_ladder(*, tournament: Tournament, by: User) -> Stage:
    """Draw nothing more: the ladder closes once its last match is over.

    Raises TournamentError "tournament.not_organiser", "tournament.imported", "ladder.none", "ladder.ended".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        may(event, by, ORGANISERS, "end_ladder")
        stage = ladder_of(event)
        if stage is None or event.state not in GOES_ON:
            message = _("No ladder is running here, so there is none to end.")
            raise TournamentError(message, code="ladder.none")
        if has_ended(stage):
            raise TournamentError(_("The ladder has ended: its last matches are played."), code="ladder.ended")
        # The rest is done by the next wake-up: `ladders.go_on` draws nothing more and closes it after its last match.
        stage.ends_at = timezone.now()
        stage.save(update_fields=["ends_at"])
        audit(LadderEnded, label(stage), actor=by, channel=event.channel, after={"at": stage.ends_at.isoformat()})
        publish(LadderEnded(event.channel))
        wake_ups.notify_on_commit("derive")
    return stage


def enter_stage(stage: Stage, entries: Iterable[Entry]) -> None:
    """Let entries in at the bottom; one that comes back stands where it stood. Needs the event's row lock."""
    for entry in entries:
        if entry.state != Entry.State.ENTERED:
            continue
        # The next seed is read and used under the event's row lock, so two that enter at once get different ones.
        last = StageEntry.objects.filter(stage=stage).order_by("-seed").values_list("seed", flat=True).first() or 0
        # Its old row, if it was here before: ratings are named by the seed, and so it goes on with its own.
        row, _made = StageEntry.objects.get_or_create(stage=stage, entry=entry, defaults={"seed": last + 1})
        StageEntry.objects.filter(pk=row.pk).update(left_round=None)
        entry.state, entry.seed = Entry.State.ACTIVE, row.seed
        entry.save(update_fields=["state", "seed"])
    wake_ups.notify_on_commit("derive")


def leave_stage(entry: Entry) -> None:
    """Draw nothing more for it; drawn matches are played, its results stay. Needs the event's row lock."""
    StageEntry.objects.filter(stage__tournament=entry.tournament_id, entry=entry).update(left_round=1)
