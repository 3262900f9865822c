"""Changes of an event by PATCH: each field goes through the service that its button calls, all of them or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db import transaction

from accounts.models import User
from tournaments.events import edit as editing
from tournaments.events.clocks import choose_clock
from tournaments.events.time_zones import choose_zone
from tournaments.lifecycle.floor_settings import minutes_of
from tournaments.models import Tournament
from tournaments.pairing import constraints_actions
from tournaments.progress.round_clock import choose_minutes
from tournaments.progress.stations import choose_tables
from tournaments.ratings import actions as own_ratings

Payload = dict[str, Any]


def _zone(event: Tournament, by: User, payload: Payload) -> None:
    choose_zone(tournament=event, by=by, zone=payload["time_zone"])


def _minutes(event: Tournament, by: User, payload: Payload) -> None:
    if (payload["round_minutes"] or 0) != minutes_of(
        event
    ):  # a button says that it is so already; a PATCH may repeat it
        choose_minutes(tournament=event, by=by, minutes=payload["round_minutes"])


def _clock(event: Tournament, by: User, payload: Payload) -> None:
    choose_clock(tournament=event, by=by, clock=payload["clock"], figures=payload.get("figures"))


def _apart(event: Tournament, by: User, payload: Payload) -> None:
    constraints_actions.separate_clubs(tournament=event, by=by, apart=bool(payload["apart"]))


def _age_gap(event: Tournament, by: User, payload: Payload) -> None:
    constraints_actions.choose_age_gap(tournament=event, by=by, years=payload["age_gap"])


def _leaders(event: Tournament, by: User, payload: Payload) -> None:
    constraints_actions.let_leaders_meet(tournament=event, by=by, rounds=payload["leaders"])


def _rated(event: Tournament, by: User, payload: Payload) -> None:
    own_ratings.rate_event(tournament=event, by=by, rated=payload["rated"])


def _tables(event: Tournament, by: User, payload: Payload) -> None:
    now = (event.hall_tables, event.calls_alone)
    tables, alone = payload.get("hall_tables", now[0]), payload.get("calls_alone", now[1])
    # Both fields lead here, and a PATCH may repeat what is so already.
    if (tables, alone) != now:
        choose_tables(tournament=event, by=by, tables=tables, calls_alone=alone)


FIELDS: Final[dict[str, Callable[[Tournament, User, Payload], None]]] = {
    "time_zone": _zone,
    "round_minutes": _minutes,
    "clock": _clock,
    "apart": _apart,
    "age_gap": _age_gap,
    "leaders": _leaders,
    "rated": _rated,
    "hall_tables": _tables,
    "calls_alone": _tables,
}


def change_event(event: Tournament, by: User, payload: Payload) -> None:
    """Change the fields that were named. Raises what the services refuse; nothing is changed then."""
    # One refusal undoes the fields before it.
    with transaction.atomic():
        if set(payload) & set(editing.EDITABLE):
            editing.edit_tournament(tournament=event, by=by, changes=payload)
        for name, change in FIELDS.items():
            if name in payload:
                change(event, by, payload)
    # Services lock and change rows of their own; the answer shows what they wrote.
    event.refresh_from_db()
