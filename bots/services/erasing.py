"""Erasure of a person's bots when they go: sources, notes, findings and logs. Results keep the versions' hashes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.db import models
from django.utils import timezone

from accounts.models import User
from bots.models import Blob, Bot, BotVersion, Check, Publication


def erase_bots(*, owner: User, logs: Iterable[int] = ()) -> int:
    """Retire all bots of a person for good and take out the bytes behind them. Returns how many files of bytes went.

    logs: blobs of their logs that nothing names any more. Bytes that somebody else has put in, too, stay. Call it in
    the transaction in which the person goes, once none of the bots has anything to play.
    """
    versions = BotVersion.objects.filter(bot__owner=owner)
    checks = Check.objects.filter(version__bot__owner=owner)
    # Collected before the rows below let go of their logs: afterwards nothing would name them.
    found = {*versions.values_list("source", flat=True), *checks.exclude(log=None).values_list("log", flat=True), *logs}
    Bot.objects.filter(owner=owner).update(active_version=None)
    versions.update(state=BotVersion.State.RETIRED, note="", hidden_reason="")
    checks.update(log=None, result={})
    # Forks are other people's bots, under a licence that does not end: their bytes stay, as rows of theirs name them.
    Publication.objects.filter(version__bot__owner=owner, withdrawn_at=None).update(withdrawn_at=timezone.now())
    return Blob.objects.erase(_of_nobody_else(_locked({each for each in found if each is not None}), versions))


def _locked(blobs: set[int]) -> set[int]:
    """Return the same blobs, locked: who put in the same bytes before is seen, who comes later puts them back."""
    rows = Blob.objects.select_for_update().filter(pk__in=blobs).order_by("pk")
    return set(rows.values_list("pk", flat=True))


def _of_nobody_else(blobs: set[int], own: models.QuerySet[BotVersion]) -> set[int]:
    """Return those of the blobs that no row names but these versions."""
    left = set(blobs)
    # All relations to blobs are found by the models' own fields, so that a new one cannot be forgotten here.
    for model, name in _that_name_blobs():
        rows = model._base_manager.filter(**{f"{name}__in": left})
        if model is BotVersion:
            rows = rows.exclude(pk__in=own)
        left -= set(rows.values_list(name, flat=True))
    return left


def _that_name_blobs() -> list[tuple[type[models.Model], str]]:
    found: list[tuple[type[models.Model], str]] = []
    for model in apps.get_models():
        fields: list[Any] = list(model._meta.concrete_fields)
        found += [(model, field.name) for field in fields if field.is_relation and field.related_model is Blob]
    return found
