"""What organisers decide about registrations: approved, refused, paid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.printable import is_printable
from tournaments.domain_events.registration import PaymentNoted, RegistrationApproved, RegistrationRefused
from tournaments.entries.people import BEFORE, tidy
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Registration, Tournament
from tournaments.registration.letters import tell_changes
from tournaments.registration.register import let_in
from tournaments.undo.recorder import undoable

S = Registration.State
MAX_REASON: Final = 300
MAX_AT_ONCE: Final = 1_000


@undoable("approve")
def approve_registrations(*, tournament: Tournament, by: User, wanted: Sequence[Registration]) -> int:
    """Accept registrations, first come first; all of them, or none. Returns how many were; twice accepts none.

    Also those that were refused before. Raises TournamentError "tournament.not_organiser", "registration.started",
    "entry.name_invalid", "entry.duplicate".
    """
    with transaction.atomic():
        event, rows = _locked(tournament, by, wanted, "approve_registrations", (S.PENDING, S.REFUSED))
        for row in rows:
            row.reason = ""
            let_in(event, row, is_approved=True, verb=RegistrationApproved, by=by)
    return len(rows)


@undoable("refuse")
def reject_registrations(*, tournament: Tournament, by: User, wanted: Sequence[Registration], reason: str = "") -> int:
    """Refuse registrations that wait for approval. Returns how many were; twice refuses none.

    reason: their people read it, nobody else. Raises TournamentError "tournament.not_organiser",
    "registration.started", "registration.bad_reason".
    """
    why = tidy(reason)
    if len(why) > MAX_REASON or not is_printable(why):
        message = _("The reason may have at most %(n)s printable characters.") % {"n": MAX_REASON}
        raise TournamentError(message, code="registration.bad_reason")
    with transaction.atomic():
        event, rows = _locked(tournament, by, wanted, "reject_registrations", (S.PENDING,))
        keys = [row.pk for row in rows]
        Registration.objects.filter(pk__in=keys).update(state=S.REFUSED, reason=why)
        tell_changes(Registration.objects.filter(pk__in=keys))
        for row in rows:
            # Without the reason: readers of the log are not whom it is for.
            audit(RegistrationRefused, f"registration:{row.uuid}", actor=by, channel=event.channel)
        publish(*(RegistrationRefused(event.channel, state=str(S.REFUSED), registration=str(row.uuid)) for row in rows))
    return len(rows)


def note_payment(*, tournament: Tournament, by: User, wanted: Sequence[Registration], paid: bool) -> int:
    """Note who has paid, or has not after all. Returns how many changed. The event's state does not matter.

    Raises TournamentError "tournament.not_organiser".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        may(event, by, ORGANISERS, "note_payment")
        found = Registration.objects.filter(tournament=event, pk__in=[row.pk for row in wanted[:MAX_AT_ONCE]])
        rows = list(found.filter(paid_at__isnull=paid).exclude(state=S.UNCONFIRMED).order_by("pk"))
        at = timezone.now() if paid else None
        Registration.objects.filter(pk__in=[row.pk for row in rows]).update(paid_at=at)
        for row in rows:
            subject = f"registration:{row.uuid}"
            audit(PaymentNoted, subject, actor=by, after={"paid": paid})  # no channel: readers of the log need not know
    return len(rows)


def _locked(
    tournament: Tournament, by: User, wanted: Sequence[Registration], verb: str, states: Sequence[str]
) -> tuple[Tournament, list[Registration]]:
    """Lock the event; return it and those of the registrations that are in one of the states, first come first."""
    event = Tournament.objects.select_for_update().get(pk=tournament.pk)
    may(event, by, ORGANISERS, verb)
    if event.state not in BEFORE:
        message = _("The event has started. Add late arrivals on the page of people.")
        raise TournamentError(message, code="registration.started")
    rows = Registration.objects.filter(tournament=event, pk__in=[row.pk for row in wanted[:MAX_AT_ONCE]])
    found = list(rows.filter(state__in=states).select_related("entry__player", "user").order_by("confirmed_at", "pk"))
    for row in found:
        row.tournament = event
    return event, found
