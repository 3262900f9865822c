"""The time zone of an event: of the place where it is held. All its times are shown in it; the moments stay."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.zones import zone_named
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.tournaments import TimeZoneChosen
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import Tournament
from tournaments.progress.round_clock import locked_event
from tournaments.undo.recorder import undoable


@undoable("zone")
def choose_zone(*, tournament: Tournament, by: User, zone: str) -> None:
    """Show the event's times in this zone from now on. The same zone changes nothing.

    Raises TournamentError "tournament.not_organiser", "tournament.bad_time_zone".
    """
    with transaction.atomic():
        event = locked_event(tournament)
        may(event, by, ORGANISERS, "zone")
        if zone_named(zone) is None:
            message = _("There is no time zone “%(name)s”. Write it like Europe/Paris, Asia/Tokyo or UTC.")
            raise TournamentError(message % {"name": zone[:40]}, code="tournament.bad_time_zone")
        if zone == event.time_zone:
            return
        before, event.time_zone = event.time_zone, zone
        event.save(update_fields=["time_zone"])
        changes = {"before": {"zone": before}, "after": {"zone": zone}}
        audit(TimeZoneChosen, label(event), actor=by, channel=event.channel, **changes)
        publish(TimeZoneChosen(event.channel, zone=zone))
