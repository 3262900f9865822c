"""Events as appointments: the day itself, when entries close, every round from its first match to its last.

Where people play, a round begins when it is published and a table when it is called: the audit says when that was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from django.db.models import Max, Min, Prefetch, QuerySet
from django.utils.translation import gettext as _

from accounts.phrasing import listed
from bots.models import AuditEvent
from core.interchange.event_ids import original
from core.interchange.ical import Appointment
from tournaments.domain_events.matches import MatchCalled
from tournaments.domain_events.stages import RoundPublished, StageActivated
from tournaments.lifecycle.transitions import label
from tournaments.models import Match, Round, Seat, Tournament

MOST_ROUNDS: Final = 2_000
MOST_TABLES: Final = 500
BEGIN: Final = (StageActivated.topic, RoundPublished.topic, MatchCalled.topic)
OPEN: Final = (Tournament.State.PUBLISHED, Tournament.State.REGISTRATION)
AddressOf = Callable[[Tournament], str]


def appointments_of(events: Sequence[Tournament], address_of: AddressOf) -> list[Appointment]:
    """What is known of these events' times. Two queries. address_of: the whole address of an event's page."""
    found = [each for event in events for each in _of_event(event, address_of(event))]
    rounds = Round.objects.filter(stage__tournament__in=events).exclude(state=Round.State.DRAFT)
    timed = rounds.annotate(begun=Min("matches__queued_at"), ended=Max("matches__finished_at"))
    pages = {event.pk: address_of(event) for event in events}
    shown = timed.select_related("stage__tournament").defer("plan", "quality").order_by("-pk")[:MOST_ROUNDS]
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
    """When rounds were published and tables called, by their label. One query, none without any."""
    wanted = list(subjects)
    acts = AuditEvent.objects.filter(subject__in=wanted, verb__in=BEGIN).order_by("id") if wanted else ()
    return {act.subject: act.at for act in acts}


def tables_of(matches: QuerySet[Match], address_of: Callable[[Match], str]) -> list[Appointment]:
    """Tables as appointments, the newest. Three queries. address_of: the whole address of a match's page."""
    seats = Seat.objects.select_related("entry__player", "player").defer("log_marks").order_by("match_id", "index")
    drawn = matches.filter(leg=1, round__isnull=False).exclude(round__state=Round.State.DRAFT)
    shown = drawn.select_related("stage__tournament", "round__stage").order_by("-pk")
    rows = list(shown.prefetch_related(Prefetch("seats", seats))[:MOST_TABLES])
    begun = _begun(each for row in rows if row.queued_at is None for each in _labels(row))
    return [found for row in rows for found in _of_table(row, begun, address_of(row))]


def _labels(row: Match) -> list[str]:
    """What may have begun it: its call, else its round's publication."""
    return [label(row), *(_round_labels(row.round) if row.round is not None else ())]


def _round_labels(row: Round) -> list[str]:
    """A round is published by itself; the first one may be by the opening of its stage."""
    return [label(row), label(row.stage)] if row.number == 1 else [label(row)]


def _of_table(row: Match, begun: dict[str, datetime], url: str) -> Iterator[Appointment]:
    event = row.stage.tournament
    starts = row.queued_at or next((begun[each] for each in _labels(row) if each in begun), None)
    if starts is None or row.round is None:
        return
    names = dict.fromkeys(
        player.name for seat in row.seats.all() if (player := seat.player or (seat.entry and seat.entry.player))
    )
    shown = {"event": event.name, "n": row.round.number, "table": row.table_no, "names": listed(names)}
    yield Appointment(
        uid=f"{row.uuid}@hanami",
        summary=_("%(event)s, round %(n)s, table %(table)s: %(names)s") % shown,
        starts=starts,
        ends=row.finished_at,
        url=url,
        called_off=row.state == Match.State.VOID,
    )


def _of_event(event: Tournament, url: str) -> Iterator[Appointment]:
    uuid = original(event.uuid, event.policies)
    is_off = event.state == Tournament.State.CANCELLED
    told = partial(Appointment, url=url, description=event.description, called_off=is_off, venue=event.venue)
    if event.entries_close_at is not None:
        name = _("%(event)s: entries close") % {"event": event.name}
        yield told(f"{uuid}-entries@hanami", name, event.entries_close_at)
    begins = event.started_at or event.starts_at
    if begins is not None:
        yield told(f"{uuid}@hanami", event.name, begins, event.finished_at)


def _of_rounds(rounds: Iterable[Round], pages: dict[int, str], published: dict[str, datetime]) -> Iterator[Appointment]:
    for row in rounds:
        event, ended = row.stage.tournament, getattr(row, "ended", None)
        at = (published[each] for each in _round_labels(row) if each in published)
        begun = getattr(row, "begun", None) or next(at, None)
        if begun is None:
            continue
        is_over = row.state in (Round.State.COMPLETE, Round.State.LOCKED)
        shown = {"event": event.name, "n": row.number, "stage": row.stage.name}
        text = _("%(event)s, %(stage)s: round %(n)s") if row.stage.name else _("%(event)s: round %(n)s")
        yield Appointment(
            uid=f"{original(row.stage.uuid, event.policies)}-round-{row.number}@hanami",
            summary=text % shown,
            starts=begun,
            ends=ended if is_over else None,
            url=f"{pages[event.pk]}rounds/?stage={row.stage.order}&round={row.number}",
        )
