"""Webhooks as their owner's pages and the API show them."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from bots.models import Bot
from tournaments.models import Delivery, Hook, Role, Tournament

MAX_LISTED: Final = 100
State = Delivery.State


def hooks_of(user: User) -> QuerySet[Hook]:
    """Return a person's hooks, the newest first, each with its waiting deliveries and its last success."""
    rows = Hook.objects.filter(user=user).select_related("tournament", "bot").order_by("-pk")
    deliveries = Delivery.objects.filter(hook=OuterRef("pk")).order_by()
    waiting = deliveries.filter(state=State.OPEN).values("hook").annotate(n=Count("pk")).values("n")
    # In the words of the index `delivery_through`, which holds delivered rows only.
    through = (
        deliveries.filter(state=State.DELIVERED, tried_at__isnull=False).order_by("-tried_at").values("tried_at")[:1]
    )
    return rows.annotate(waiting=Coalesce(Subquery(waiting), 0), delivered_at=Subquery(through))


def hook_of(user: User, uuid: UUID) -> Hook | None:
    """Return one hook of a person; somebody else's is not found."""
    return hooks_of(user).filter(uuid=uuid).first()


def deliveries_of(hook: Hook, *, state: str = "", kind: str = "") -> QuerySet[Delivery]:
    """Return the deliveries of a hook, the newest first. A filter that names nothing is none."""
    rows = Delivery.objects.filter(hook=hook).order_by("-pk")
    if state in State.values:
        rows = rows.filter(state=state)
    return rows.filter(kind=kind) if kind else rows


def watchable(user: User) -> dict[str, Tournament | Bot]:
    """Return what one hook of this person may watch alone: "event:<slug>", "bot:<slug>"; the newest of each.

    Two queries.
    """
    roles = Role.objects.filter(user=user).order_by("-tournament").values("tournament").distinct()
    events = Tournament.objects.filter(pk__among=roles[:MAX_LISTED]).order_by("-pk")
    bots = Bot.objects.filter(owner=user).order_by("-pk")[:MAX_LISTED]
    found: dict[str, Tournament | Bot] = {f"event:{event.slug}": event for event in events}
    return found | {f"bot:{bot.slug}": bot for bot in bots}


def stopped_of(user: User) -> int:
    """Count the hooks of this person that we have switched off. One query."""
    return Hook.objects.filter(user=user, state=Hook.State.STOPPED).count()
