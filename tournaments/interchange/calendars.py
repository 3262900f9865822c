"""Events as appointments: the day itself, when entries close, every round from its first match to its last.

A round of people begins when it is published and a table when it is called: the audit log has these moments.

A person's own calendar has an address that programs fetch without logging in, and that can be renewed or closed: 20 of
32 letters, 100 bits, made from a random id under the server's key like a private link (decision 0048). Only its SHA-256
is stored: a reader of the database has no address, and the page can still show it again.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Min, Prefetch, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from accounts.phrasing import listed
from activity.journal import audit
from bots.models import AuditEvent
from core.interchange.documents.copies import other
from core.interchange.ical import Appointment
from tournaments.domain_events.matches import MatchCalled
from tournaments.domain_events.programs import CalendarClosed, CalendarOpened
from tournaments.domain_events.stages import RoundPublished, StageActivated
from tournaments.lifecycle.transitions import label
from tournaments.models import CalendarLink, Match, Round, Seat, Tournament
from tournaments.scores.slips import LETTERS

MAX_ROUNDS: Final = 2_000
MAX_TABLES: Final = 500
BEGIN: Final = (StageActivated.topic, RoundPublished.topic, MatchCalled.topic)
OPEN: Final = (Tournament.State.PUBLISHED, Tournament.State.REGISTRATION)
AddressOf = Callable[[Tournament], str]


def appointments_of(events: Sequence[Tournament], address_of: AddressOf) -> list[Appointment]:
    """Return the appointments of these events. Two queries. address_of: the whole address of an event's page."""
    found = [each for event in events for each in _of_event(event, address_of(event))]
    rounds = Round.objects.filter(stage__tournament__in=events).exclude(state=Round.State.DRAFT)
    timed = rounds.annotate(begun=Min("matches__queued_at"), ended=Max("matches__finished_at"))
    pages = {event.pk: address_of(event) for event in events}
    shown = timed.select_related("stage__tournament").defer("plan", "quality").order_by("-pk")[:MAX_ROUNDS]
    rows = list(shown)
    return [
        *found,
        *_of_rounds(
            rows,
            pages,
            _begun(each for row in rows if getattr(row, "begun", None) is None for each in _round_labels(row)),
        ),
    ]


def _begun(subjects: Iterable[str]) -> dict[str, datetime]:
    """Return when rounds were published and tables called, by their label. One query, none without any."""
    wanted = list(subjects)
    acts = AuditEvent.objects.filter(subject__in=wanted, verb__in=BEGIN).order_by("id") if wanted else ()
    # In order of ids, so that of several publications of a round (its draw was undone) the last one stays.
    return {act.subject: act.at for act in acts}


def tables_of(matches: QuerySet[Match], address_of: Callable[[Match], str]) -> list[Appointment]:
    """Return tables as appointments, the newest. Three queries. address_of: the whole address of a match's page."""
    seats = Seat.objects.select_related("entry__player", "player").defer("log_marks").order_by("match_id", "index")
    drawn = matches.filter(leg=1, round__isnull=False).exclude(round__state=Round.State.DRAFT)
    shown = drawn.select_related("stage__tournament", "round__stage").order_by("-pk")
    rows = list(shown.prefetch_related(Prefetch("seats", seats))[:MAX_TABLES])
    begun = _begun(each for row in rows if row.queued_at is None for each in _labels(row))
    return [found for row in rows for found in _of_table(row, begun, address_of(row))]


def _labels(row: Match) -> list[str]:
    """Return labels of acts that may have begun it: its call, else its round's publication."""
    return [label(row), *(_round_labels(row.round) if row.round is not None else ())]


def _round_labels(row: Round) -> list[str]:
    """Return labels of acts that published a round: its own, or for the first one the opening of its stage."""
    return [label(row), label(row.stage)] if row.number == 1 else [label(row)]


def _of_table(row: Match, begun: dict[str, datetime], url: str) -> Iterator[Appointment]:
    event = row.stage.tournament
    starts = row.queued_at or next((begun[each] for each in _labels(row) if each in begun), None)
    if starts is None or row.round is None:
        return
    names = dict.fromkeys(
        player.name for seat in row.seats.all() if (player := seat.player or (seat.entry and seat.entry.player))
    )
    shown = {"event": event.name, "n": row.round.number, "table": row.known_table, "names": listed(names)}
    yield Appointment(
        uid=f"{row.uuid}@hanami",
        summary=_("%(event)s, round %(n)s, table %(table)s: %(names)s") % shown,
        starts=starts,
        ends=row.finished_at,
        url=url,
        called_off=row.state == Match.State.VOID,
    )


def _of_event(event: Tournament, url: str) -> Iterator[Appointment]:
    uuid = other(event.uuid, event.copy_mask)
    is_off = event.state == Tournament.State.CANCELLED
    appointment = partial(Appointment, url=url, description=event.description, called_off=is_off, venue=event.venue)
    if event.entries_close_at is not None:
        name = _("%(event)s: entries close") % {"event": event.name}
        yield appointment(f"{uuid}-entries@hanami", name, event.entries_close_at)
    begins = event.started_at or event.starts_at
    if begins is not None:
        yield appointment(f"{uuid}@hanami", event.name, begins, event.finished_at)


def _of_rounds(rounds: Iterable[Round], pages: dict[int, str], published: dict[str, datetime]) -> Iterator[Appointment]:
    for row in rounds:
        event, ended = row.stage.tournament, getattr(row, "ended", None)
        at = (published[each] for each in _round_labels(row) if each in published)
        begun = getattr(row, "begun", None) or next(at, None)
        if begun is None:
            continue
        is_over = row.state in (Round.State.COMPLETE, Round.State.LOCKED)
        shown = {"event": event.name, "n": row.number, "stage": row.stage.title}
        text = _("%(event)s, %(stage)s: round %(n)s") if row.stage.name else _("%(event)s: round %(n)s")
        yield Appointment(
            uid=f"{other(row.stage.uuid, event.copy_mask)}-round-{row.number}@hanami",
            summary=text % shown,
            starts=begun,
            ends=ended if is_over else None,
            url=f"{pages[event.pk]}rounds/?stage={row.stage.order}&round={row.number}",
        )


SALT: Final = "hanami.calendar"
LENGTH: Final = 20
# The last use is written down once in this time at most.
USED_EVERY: Final = timedelta(hours=1)


def _letters(link: CalendarLink, key: str | bytes) -> str:
    mixed = salted_hmac(SALT, link.uuid.hex, secret=key, algorithm="sha256").digest()
    number = int.from_bytes(mixed, "big")
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(LENGTH))


def _digest(letters: str) -> str:
    return hashlib.sha256(f"{SALT}:{letters}".encode()).hexdigest()


def calendar_token(user: User) -> str:
    """Return the token in the address of a person's calendar. One query.

    "" while there is none, and where the server's key has changed since it was made: then it works, but is not shown.
    """
    link = CalendarLink.objects.filter(user=user).first()
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    found = (_letters(link, key) for key in keys) if link is not None else ()
    return next((letters for letters in found if link is not None and _digest(letters) == link.digest), "")


@transaction.atomic
def open_calendar(*, user: User) -> str:
    """Make a new address; one that was there before is dead from now on. Raises AccountGone."""
    lock_account(user)
    CalendarLink.objects.filter(user=user).delete()
    link = CalendarLink(user=user, uuid=uuid.uuid4())
    letters = _letters(link, settings.SECRET_KEY)
    link.digest = _digest(letters)
    link.save()
    audit(CalendarOpened, f"calendar:{user.uuid}", actor=user)
    return letters


@transaction.atomic
def close_calendar(*, user: User) -> None:
    """Remove the address. Doing it twice changes nothing."""
    gone, _by_model = CalendarLink.objects.filter(user=user).delete()
    if gone:
        audit(CalendarClosed, f"calendar:{user.uuid}", actor=user)


def reader_of(token: str) -> User | None:
    """Return the owner of a calendar, or None.

    None for an address that was never given, is dead, or whose owner may not sign in.

    One query by the hash, and one more once an hour.
    """
    found = CalendarLink.objects.select_related("user").filter(digest=_digest(token), user__is_active=True).first()
    if found is None:
        return None
    now = timezone.now()
    if found.used_at is None or found.used_at + USED_EVERY <= now:
        CalendarLink.objects.filter(pk=found.pk).update(used_at=now)
    return found.user
