"""Obstacles to deleting an account, and the rows that go with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db import models
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from bots.models import BotVersion
from tournaments.lifecycle.visibility import LIVE, SOON
from tournaments.models import Challenge, Entry, Match, Player, Role, Seat, Tournament

T = Tournament.State
ON: Final = (*SOON, *LIVE)
IN_PLAY: Final = (Entry.State.ENTERED, Entry.State.ACTIVE, Entry.State.WAITLISTED, Entry.State.PARTNERED)
DONE: Final = (Match.State.CONFIRMED, Match.State.VOID)
# Obstacles of a kind that are named.
MAXIMUM: Final = 50


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something that others still count on. name, url: of it; advice: the first thing to do."""

    code: str
    name: str
    url: str
    advice: str


def obstacles(user: User) -> list[Obstacle]:
    """Return the obstacles of this person; empty if nothing is in the way. Six queries."""
    found = [*_operator(user), *_owned(user), *_in_play(user), *_compared(user)]
    return found or [*_unplayed(user)]


def _operator(user: User) -> Iterator[Obstacle]:
    if user.is_staff or user.is_superuser:
        advice = _("You are an operator. Another operator must remove that right first.")
        yield Obstacle("account.operator", user.username, reverse("account"), advice)


def _owned(user: User) -> Iterator[Obstacle]:
    """Yield events that are not over and would have no owner left."""
    others = Role.objects.filter(tournament=OuterRef("pk"), role=Role.Kind.OWNER).exclude(user=user)
    mine = Role.objects.filter(tournament=OuterRef("pk"), role=Role.Kind.OWNER, user=user)
    events = Tournament.objects.filter(Exists(mine), ~Exists(others), state__in=(T.DRAFT, *ON))
    advice = _("The event would have no owner. Give that role to somebody else, or cancel the event.")
    for event in events.order_by("-id")[:MAXIMUM]:
        yield Obstacle("account.owns_event", event.name, reverse("tournament", args=[event.slug]), advice)


def _in_play(user: User) -> Iterator[Obstacle]:
    """Yield entries of one's bots, and one's own, in events that go on."""
    players = Player.objects.filter(bot__pk__among=user.bots.values("pk")).values("pk")
    sides = (models.Q(player__pk__among=players), models.Q(player__user=user), models.Q(registration__user=user))
    # Found from the side of who leaves: an event that goes on may have more entries than they have bots.
    kinds = [Entry.objects.filter(side, state__in=IN_PLAY, tournament__state__in=ON).values("pk") for side in sides]
    going = Entry.objects.filter(pk__in=kinds[0].union(*kinds[1:])).select_related("tournament", "player")
    for entry in going.filter(tournament__is_challenge=False).order_by("-id")[:MAXIMUM]:
        event = entry.tournament
        advice = _("%(name)s plays there. Withdraw it, or wait until the event is over.") % {"name": entry.player.name}
        yield Obstacle("account.plays", event.name, reverse("tournament-entries", args=[event.slug]), advice)


def _compared(user: User) -> Iterator[Obstacle]:
    advice = _("This comparison is still running. Stop it first.")
    running = Challenge.objects.filter(by=user, state=Challenge.State.RUNNING).select_related("candidate__bot")
    for each in running.order_by("-id")[:MAXIMUM]:
        yield Obstacle("account.compares", str(each.candidate), reverse("challenge", args=[each.uuid]), advice)


def _unplayed(user: User) -> Iterator[Obstacle]:
    """Yield matches and checks that workers are about to play with one's bots: others have asked for them."""
    seats = Seat.objects.filter(match=OuterRef("pk"), bot_version__bot__owner=user)
    waiting = Match.objects.filter(Exists(seats), stage__tournament__state__in=LIVE).exclude(state__in=DONE).count()
    checks = BotVersion.objects.filter(bot__owner=user, state=BotVersion.State.CHECKING).count()
    if waiting + checks:
        advice = _("Matches with your bots still have to be played: %(n)s. Come back when they are over.") % {
            "n": waiting + checks
        }
        yield Obstacle("account.matches_wait", _("Queue"), reverse("queue"), advice)


def own_rows(user: User) -> Iterator[tuple[str, models.QuerySet[Any, Any]]]:
    """Yield rows that are there for this person alone, by the column that says so: "tournaments.follow.user".

    They are the ones that the database would delete along with the account.
    """
    for relation in User._meta.get_fields(include_hidden=True):
        # From the foreign keys themselves: a new table with CASCADE is in the copy and in the deletion without a line
        # here.
        if isinstance(relation, models.ManyToOneRel) and relation.on_delete is models.CASCADE:
            model = relation.related_model
            if model._meta.app_label != "admin":
                name = f"{model._meta.label_lower}.{relation.field.name}"
                yield name, model._base_manager.filter(**{relation.field.name: user})
