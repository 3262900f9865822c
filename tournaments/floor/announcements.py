"""Announcements of the organiser, and their withdrawal: short texts on the event's page, the projector, the phones."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from core.printable import is_printable
from tournaments.domain_events.tournaments import AnnouncementMade, AnnouncementWithdrawn
from tournaments.lifecycle.floor_settings import announcements_of
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import Announcement, Tournament
from tournaments.progress.round_clock import locked_event
from tournaments.undo.recorder import undoable

MAX_LENGTH: Final = 280
# Announcements that stand at a time: nobody at a tournament reads more.
MAXIMUM: Final = 5
OVER: Final = (Tournament.State.ARCHIVED, Tournament.State.CANCELLED)


@undoable("announce")
def announce(*, tournament: Tournament, by: User, text: str) -> Announcement:
    """Announce it to everybody, until it is withdrawn.

    Raises TournamentError "tournament.not_organiser", "announcement.empty", "announcement.too_long",
    "announcement.already_said" (it stands), "announcement.too_many", "announcement.event_over".
    """
    with transaction.atomic():
        event = locked_event(tournament)
        may(event, by, ORGANISERS, "announce")
        text = _read(event, text)
        # Counted on the event, not with Max(): the number of a withdrawn announcement is never given again.
        event.announcements_made += 1
        event.save(update_fields=["announcements_made"])
        made = event.announcements.create(number=event.announcements_made, text=text, made_at=timezone.now())
        _record(event, AnnouncementMade, by, {"n": made.number, "text": text})
    return made


def _read(event: Tournament, text: str) -> str:
    """Return the text on one line, if it can be announced now."""
    text = " ".join(text.split())
    if event.state in OVER:
        raise TournamentError(
            _("The event is over: nobody would read the announcement."), code="announcement.event_over"
        )
    if not text or not is_printable(text):
        raise TournamentError(_("Write what everybody should know."), code="announcement.empty")
    if len(text) > MAX_LENGTH:
        message = _("An announcement may have at most %(most)s characters. Shorten it.") % {"most": MAX_LENGTH}
        raise TournamentError(message, code="announcement.too_long")
    standing = announcements_of(event)
    if text in [each.text for each in standing]:
        raise TournamentError(_("This announcement is already shown."), code="announcement.already_said")
    if len(standing) >= MAXIMUM:
        message = _("%(most)s announcements are already shown. Withdraw one first.") % {"most": MAXIMUM}
        raise TournamentError(message, code="announcement.too_many")
    return text


@undoable("unsay")
def withdraw_announcement(*, tournament: Tournament, by: User, number: int) -> None:
    """Withdraw it; it stays in the log. Raises "tournament.not_organiser", "announcement.already_withdrawn"."""
    with transaction.atomic():
        event = locked_event(tournament)
        may(event, by, ORGANISERS, "withdraw_announcement")
        gone = event.announcements.filter(number=number).first()
        if gone is None:
            message = _("This announcement is no longer shown.")
            raise TournamentError(message, code="announcement.already_withdrawn")
        gone.delete()
        _record(event, AnnouncementWithdrawn, by, {"n": number, "text": gone.text})


def _record(event: Tournament, verb: type[DomainEvent], by: User, after: dict[str, object]) -> None:
    audit(verb, label(event), actor=by, channel=event.channel, after=after)
    publish(verb.of(event.channel, after))
