"""An event as organisers and players see it: two events that look the same have the same normal form.

Left out on purpose: the audit, the outbox, versions of rows, what is committed and revealed, reports that do not count.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Model

from tournaments import models
from tournaments.models.settings import TournamentSettings

Form = dict[str, list[tuple[Any, ...]]]
SETTINGS: Final = [field.attname for field in TournamentSettings._meta.local_concrete_fields]
SHOWN: Final[dict[type[Model], tuple[str, tuple[str, ...]]]] = {
    models.Tournament: (
        "pk",
        ("name", "state", "visibility", "reason", "started_at", "finished_at", "max_entries", *SETTINGS),
    ),
    models.Role: ("tournament", ("user__username", "role")),
    models.Entry: (
        "tournament",
        ("uuid", "player__name", "player__club", "seed", "state", "bot_version", "created_at", "fixed_table"),
    ),
    models.Member: ("team__tournament", ("team__uuid", "person__uuid", "number", "from_round", "until_round")),
    models.Announcement: ("tournament", ("number", "text", "made_at")),
    models.Stage: (
        "tournament",
        (
            "order",
            "name",
            "kind",
            "flows",
            "state",
            "clock",
            "clock_figures",
            "rounds_planned",
            "seeding",
            "seeding_order",
            "seeding_ratings",
            "priorities",
            "leader_rounds",
            "leader_tables",
            "leader_first",
            "accelerated_rounds",
        ),
    ),
    models.RequestedBye: ("stage__tournament", ("stage__order", "entry__uuid", "round_number", "worth")),
    models.PairRule: ("tournament", ("stage__order", "kind", "one__uuid", "other__uuid", "round_number")),
    models.RoundClock: (
        "round__stage__tournament",
        ("round__stage__order", "round__number", "began_at", "minutes", "stopped_s", "stopped_at", "by_event"),
    ),
    models.Group: ("stage__tournament", ("stage__order", "number", "label")),
    models.StageEntry: (
        "stage__tournament",
        ("stage__order", "entry__uuid", "seed", "group__label", "carry_in", "joined_round", "left_round"),
    ),
    models.Round: ("stage__tournament", ("stage__order", "number", "state", "plan", "quality")),
    models.Match: (
        "stage__tournament",
        ("uuid", "stage__order", "round__number", "table_no", "station", "state", "seats_n", "why", "finished_at"),
    ),
    models.Seat: (
        "match__stage__tournament",
        (
            "match__uuid",
            "index",
            "side",
            "entry__uuid",
            "feed_match__uuid",
            "feed_place",
            "points",
            "victories",
            "raw_points",
            "place",
            "outcome",
            "fault",
        ),
    ),
    models.Adjustment: ("stage_entry__stage__tournament", ("stage_entry__entry__uuid", "units", "reason")),
    models.Standing: (
        "stage__tournament",
        ("stage__order", "after_round", "row", "rank", "entry__uuid", "key", "explanation"),
    ),
}
COUNTING: Final = (
    models.ResultReport.State.SUBMITTED,
    models.ResultReport.State.CONFIRMED,
    models.ResultReport.State.DISPUTED,
    models.ResultReport.State.SUPERSEDED,
)


def form_of(event: models.Tournament) -> Form:
    """Return every row that is shown, in an order that does not depend on keys."""
    found: Form = {}
    for model, (path, fields) in SHOWN.items():
        rows = model._default_manager.filter(**{path: event.pk})
        found[model.__name__] = sorted(rows.order_by().values_list(*fields), key=repr)
    reports = models.ResultReport.objects.filter(match__stage__tournament=event, state__in=COUNTING)
    told = reports.values_list("match__uuid", "version", "state", "by__username", "reason", "body")
    found["ResultReport"] = sorted(told, key=repr)
    return found
