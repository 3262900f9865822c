"""Acts of the API: each goes through the service that its button calls. `dry_run` does it, answers what changed, undoes
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any, TypeVar

from django.db import transaction
from rest_framework import serializers
from rest_framework.response import Response

from tournaments.models import Tournament
from tournaments.progress.corrections import affected
from tournaments.standings import ledger_cache

Value = TypeVar("Value")
KINDS = [(kind, kind) for kind in ("stage", "round", "table", "standing", "goes_on")]


class ActSerializer(serializers.Serializer[Any]):
    """Parameters of an act. seen: what a dry run showed; another state of things is then refused with 409."""

    dry_run = serializers.BooleanField(required=False, default=False, help_text="do nothing, answer what would change")
    seen = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")
    reason = serializers.CharField(required=False, allow_blank=True, max_length=300, default="")
    row_version = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)


class ChangeSerializer(serializers.Serializer[Any]):
    """A row of the event that changes. before, after: its content as short texts; null: there is no such row then."""

    kind = serializers.ChoiceField(choices=KINDS)
    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    table = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    before = serializers.ListField(child=serializers.CharField(allow_blank=True), allow_null=True)
    after = serializers.ListField(child=serializers.CharField(allow_blank=True), allow_null=True)


class DoneSerializer(serializers.Serializer[Any]):
    """Result of an act, or of its dry run. seen: to be sent with the act, so that nothing else is done."""

    dry_run = serializers.BooleanField()
    state = serializers.CharField(help_text="of the event, afterwards")
    row_version = serializers.IntegerField()
    seen = serializers.CharField(allow_blank=True)
    changes = ChangeSerializer(many=True)
    plan = serializers.DictField(allow_null=True, help_text="the round that is drawn, with the reasons")


def asked(data: Any) -> dict[str, Any]:
    """Return the parameters of a request. Raises ValidationError."""
    read = ActSerializer(data=data)
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)


def tried(event: Tournament, act: Callable[[], Value], *, dry_run: bool) -> Value:
    """Return what `act` answers; it is done, or with dry_run undone. Raises what the service refuses."""
    stages = list(event.stages.values_list("uuid", flat=True))
    try:
        with transaction.atomic():
            found = act()
            # Really done and then taken back: a dry run cannot differ from the act. Messages on commit are dropped with
            # it.
            transaction.set_rollback(dry_run)
    # What was folded in the transaction that failed is not what the database holds.
    except BaseException:
        ledger_cache.discard(stages)
        raise
    if dry_run:
        ledger_cache.discard(stages)  # what was folded came to nothing
        event.refresh_from_db()
    return found


def perform(
    event: Tournament, act: Callable[[], object], *, dry_run: bool, seen: str = "", plan: dict[str, Any] | None = None
) -> Response:
    """Do it, or show what it would do. Raises what the service refuses."""
    # Read before the act: what changes is the difference, for every act alike.
    before = affected.rows_of(event)

    def acted() -> dict[str, Any]:
        act()
        event.refresh_from_db()
        changes = changes_json(affected.between(before, affected.rows_of(event)))
        return {"state": event.state, "row_version": event.row_version, "changes": changes, "plan": plan}

    outcome = tried(event, acted, dry_run=dry_run)
    return Response({"dry_run": dry_run, "seen": seen, **outcome})


def changes_json(rows: Iterable[affected.Affected]) -> list[dict[str, Any]]:
    """Return rows of an event that change, as JSON."""
    return [_shown(each) for each in rows]


def _shown(row: affected.Affected) -> dict[str, Any]:
    shown = asdict(row)
    return {**shown, **{key: None if shown[key] is None else list(shown[key]) for key in ("before", "after")}}
