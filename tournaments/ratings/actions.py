"""Ratings of people: events that count for them, and claims of people that a name in such an event is theirs.

Nobody is rated under an account without having agreed: anyone who holds the private link of an entry and is signed in
may claim it, and may release it. Without an account a person is rated within the one event, as an opponent.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.entries import PlayerClaimed, PlayerReleased
from tournaments.domain_events.tournaments import RatedChosen
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import Entry, Player, Tournament
from tournaments.ratings import pools
from tournaments.undo.recorder import undoable

T = Tournament.State
BEFORE: Final = (T.DRAFT, T.PUBLISHED, T.REGISTRATION)


@undoable("rate_event")
def rate_event(*, tournament: Tournament, by: User, rated: bool) -> Tournament:
    """Let the results of an event of people count for their ratings, or not. Doing it twice changes nothing.

    Raises TournamentError "tournament.not_organiser", "ratings.of_bots" (those of bots always count),
    "ratings.frozen" (once it has started: anyone who came knew what for).
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        may(event, by, ORGANISERS, "rate_event")
        if not event.is_of_people:
            raise TournamentError(_("Results of bots always count for their ratings."), code="ratings.of_bots")
        if event.state not in BEFORE:
            message = _("The event has started, so you cannot change whether its results count.")
            raise TournamentError(message, code="ratings.frozen")
        if event.rated != rated:
            event.rated = rated
            event.save(update_fields=["rated"])
            audit(RatedChosen, label(event), actor=by, channel=event.channel, after={"rated": rated})
            publish(RatedChosen(event.channel, rated=rated))
    return event


def standing_of(entry: Entry, person: User | None) -> str:
    """Return what a holder of an entry's link may do about its rating: "ask", "mine", "other", "sign_in", or nothing.

    One query, none where results count for nobody.
    """
    if not entry.tournament.rated or entry.player.bot_id is not None:
        return ""
    owner = Player.objects.filter(pk=entry.player_id).values_list("user", flat=True).first()
    if person is None:
        return "" if owner is not None else "sign_in"
    if owner is None:
        return "ask"
    return "mine" if owner == person.pk else "other"


def claim_entry(*, entry: Entry, by: User) -> Entry:
    """Count an entry's results for the ratings of this account.

    Anyone who calls this has seen the entry's private link.

    Raises TournamentError "ratings.not_rated", "ratings.not_a_person", "ratings.claimed" (by another account),
    "ratings.twice" (this account plays here under another name); AccountGone.
    """
    with transaction.atomic():
        # Until the commit the account cannot be erased, nor closed, by another request.
        lock_account(by)
        event, player = _locked(entry)
        if player.user_id == by.pk:
            return entry
        if player.user_id is not None:
            message = _("Another account has already claimed this entry. Ask the organiser.")
            raise TournamentError(message, code="ratings.claimed")
        # Asked under the event's lock: two links of one event, opened in two windows, cannot both be claimed.
        if Entry.objects.filter(tournament=event, player__user=by).exists():
            message = _("You are already in this event under another name.")
            raise TournamentError(message, code="ratings.twice")
        _link(event, player, by, by, PlayerClaimed)
    entry.refresh_from_db()
    return entry


def readmit_entry(*, entry: Entry, by: User) -> Entry:
    """Release an entry: its results count for this account no longer. Raises TournamentError "ratings.not_yours"."""
    with transaction.atomic():
        event, player = _locked(entry)
        if player.user_id != by.pk:
            raise TournamentError(_("This entry does not count for your account."), code="ratings.not_yours")
        _link(event, player, None, by, PlayerReleased)
    entry.refresh_from_db()
    return entry


def _locked(entry: Entry) -> tuple[Tournament, Player]:
    event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
    if not event.rated:
        raise TournamentError(_("Results of this event do not count for ratings."), code="ratings.not_rated")
    player = Player.objects.select_for_update().get(pk=entry.player_id)
    if player.bot_id is not None or entry.members.exists():
        raise TournamentError(_("Only a person can be linked to an account."), code="ratings.not_a_person")
    return event, player


def _link(event: Tournament, player: Player, user: User | None, by: User, verb: type[DomainEvent]) -> None:
    """Set the account of the player; what was folded of them is folded again."""
    player.user = user
    player.save(update_fields=["user"])
    audit(verb, f"player:{player.uuid}", actor=by)
    pools.mark(event)
    wake_ups.notify_on_commit("derive")
