"""Events as appointments: the day itself, when entries close, every round from its first match to its last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from django.db.models import Max, Min
from django.utils.translation import gettext as _

from tournaments.interchange.event_ids import original
from tournaments.interchange.ical import Appointment
from tournaments.models import Round, Tournament

MOST_ROUNDS: Final = 2_000
OPEN: Final = (Tournament.State.PUBLISHED, Tournament.State.REGISTRATION)
AddressOf = Callable[[Tournament], str]


def appointments_of(events: Sequence[Tournament], address_of: AddressOf) -> list[Appointment]:
    """What is known of these events' times. One query. address_of: the whole address of an event's page."""
    found = [each for event in events for each in _of_event(event, address_of(event))]
    rounds = Round.objects.filter(stage__tournament__in=events).exclude(state=Round.State.DRAFT)
    timed = rounds.annotate(begun=Min("matches__queued_at"), ended=Max("matches__finished_at"))
    pages = {event.pk: address_of(event) for event in events}
    shown = timed.select_related("stage__tournament").defer("plan", "quality").order_by("-pk")[:MOST_ROUNDS]
    return [*found, *_of_rounds(shown, pages)]


def _of_event(event: Tournament, url: str) -> Iterator[Appointment]:
    uuid = original(event.uuid, event.policies)
    told = partial(
        Appointment, url=url, description=event.description, called_off=event.state == Tournament.State.CANCELLED
    )
    if event.entries_close_at is not None:
        name = _("%(event)s: entries close") % {"event": event.name}
        yield told(f"{uuid}-entries@hanami", name, event.entries_close_at)
    if event.started_at is not None:
        yield told(f"{uuid}@hanami", event.name, event.started_at, event.finished_at)


def _of_rounds(rounds: Iterable[Round], pages: dict[int, str]) -> Iterator[Appointment]:
    for row in rounds:
        event, begun, ended = row.stage.tournament, getattr(row, "begun", None), getattr(row, "ended", None)
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
            url=f"{pages[event.pk]}rounds/?round={row.number}",
        )
