"""Private links of people: made, shown again, renewed, revoked, opened (decision 0048).

Only the SHA-256 of a link is stored (`link_tokens`): a reader of the database has no link, and the server can still
print a card that was lost.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.entries import LinkRenewed, LinkRevoked, LinksMade
from tournaments.entries.link_tokens import count_wrong, digest_of, digest_typed, letters_of, shown_token
from tournaments.entries.links_query import people_of
from tournaments.entries.people import require_people
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import Entry, EntryLink, Tournament

SALT: Final = "hanami.link"
# Opening is noted once a minute at most: a phone that polls its page would write a row each time.
OPENED_AGAIN: Final = timedelta(minutes=1)
OVER: Final = (Tournament.State.FINISHED, Tournament.State.ARCHIVED, Tournament.State.CANCELLED)


def make_links(*, tournament: Tournament, by: User) -> int:
    """Make a link for every person who has none. Returns how many were made; doing it twice makes none.

    Raises TournamentError "tournament.not_organiser", "entry.not_of_people", "link.event_over".
    """
    with transaction.atomic():
        event = _opened(tournament, by, "make_links")
        without = list(people_of(event).exclude(links__in=EntryLink.objects.filter(ended_at=None)))
        EntryLink.objects.bulk_create([_new(entry, by) for entry in without])
        if without:
            _record(event, label(event), LinksMade, by, n=len(without))
    return len(without)


def link_for(*, entry: Entry) -> EntryLink:
    """Return the open link of a person who has shown who they are, made if there is none.

    Raises TournamentError "link.event_over", "link.no_entry".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
        row = _person(event, entry)
        found = open_links().select_related("entry__player", "entry__tournament").filter(entry=row).first()
        if found is not None:
            return found
        _require_on(event)
        link = _new(row, row.entered_by)
        link.save()
        audit(LinksMade, label(event), actor=None, channel=event.channel, after={"n": 1})
    return link


def renew_link(*, entry: Entry, by: User) -> EntryLink:
    """Make a new link for one person; the one before is dead from now on.

    Raises what `make_links` raises, and TournamentError "link.no_entry".
    """
    with transaction.atomic():
        event = _opened(entry.tournament, by, "renew_link")
        row = _person(event, entry)
        leaving = _end(row, by)
        link = _new(row, by)
        link.leaving_at = leaving
        link.save()
        _record(event, f"entry:{row.uuid}", LinkRenewed, by, name=row.player.name)
    return link


def revoke_link(*, entry: Entry, by: User) -> None:
    """Revoke a person's link. Doing it twice changes nothing. Raises what `renew_link` raises."""
    with transaction.atomic():
        event = _opened(entry.tournament, by, "revoke_link", is_over_fine=True)
        row = _person(event, entry)
        if row.links.filter(ended_at=None).exists():
            _end(row, by)
            _record(event, f"entry:{row.uuid}", LinkRevoked, by, name=row.player.name)


def _opened(tournament: Tournament, by: User, verb: str, *, is_over_fine: bool = False) -> Tournament:
    """Lock the event and return it, if its links may change."""
    event = Tournament.objects.select_for_update().get(pk=tournament.pk)
    may(event, by, ORGANISERS, verb)
    require_people(event)
    if not is_over_fine:
        _require_on(event)
    return event


def _require_on(event: Tournament) -> None:
    if event.state in OVER:
        message = _("The event is over, so nobody needs a new link. The old links still show how it ended.")
        raise TournamentError(message, code="link.event_over")


def _person(event: Tournament, entry: Entry) -> Entry:
    found = people_of(event).filter(pk=entry.pk).first()
    if found is None:
        message = _("Links are for people who are entered here. Reload the page.")
        raise TournamentError(message, code="link.no_entry")
    return found


def _end(entry: Entry, by: User) -> datetime | None:
    """End the open link, if there is one; return since when its person leaves."""
    link = entry.links.filter(ended_at=None).first()
    if link is None:
        return None
    link.ended_at, link.ended_by = timezone.now(), by
    link.save(update_fields=["ended_at", "ended_by"])
    return link.leaving_at


def _new(entry: Entry, by: User) -> EntryLink:
    link = EntryLink(entry=entry, made_by=by)
    link.digest = digest_of(letters_of(link.uuid, salt=SALT), salt=SALT)
    return link


def _record(event: Tournament, subject: str, verb: type[DomainEvent], by: User, **details: object) -> None:
    audit(verb, subject, actor=by, channel=event.channel, after=details)
    publish(verb.of(event.channel, details))


def link_token(link: EntryLink) -> str:
    """Return the link as its address has it, in fives; "" where the server's key has changed since: renew it."""
    return shown_token(link.uuid, link.digest, salt=SALT)


def open_links() -> QuerySet[EntryLink]:
    """Return links that open something."""
    return EntryLink.objects.filter(ended_at=None)


def read_link(token: str, *, network: str) -> EntryLink:
    """Return the link of an address, however it was typed. network: the caller's, for the limit of guesses.

    Only wrong ones are counted, and a right one always opens: 100 bits are not guessed. Raises TournamentError
    "link.unknown", "link.ended" (renewed or taken away), "link.rate" (extra: retry_after).
    """
    digest = digest_typed(token, salt=SALT)
    rows = EntryLink.objects.select_related("entry__player", "entry__tournament")
    # By the hash: the time of the look-up says nothing about how many letters were right.
    link = rows.filter(digest=digest).first() if digest else None
    if link is None:
        raise _wrong(network)
    if link.ended_at is not None:
        raise ended()
    _record_opened(link)
    return link


def ended() -> TournamentError:
    """Build the refusal of a link that was renewed or revoked."""
    message = _("This link was replaced or removed. Scan your new card, or ask the organiser for one.")
    return TournamentError(message, code="link.ended")


def _record_opened(link: EntryLink) -> None:
    now = timezone.now()
    if link.opened_at is None or link.opened_at + OPENED_AGAIN <= now:
        link.opened_at = now
        link.save(update_fields=["opened_at"])


def _wrong(network: str) -> TournamentError:
    """Count one more wrong link from there, and return the refusal."""
    if wait := count_wrong(network):
        message = _("Too many wrong links came from your network. Wait %(minutes)s minutes, or scan your card.")
        shown = {"minutes": -(-wait // 60)}
        return TournamentError(message % shown, code="link.rate", extra={"retry_after": wait})
    message = _("This link does not exist. Scan the code of your card again, or ask the organiser for your link.")
    return TournamentError(message, code="link.unknown")
