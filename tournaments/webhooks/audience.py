"""Audience of an event: the hooks that may hear of it, asked when it happened and again at every sending.

A person who has lost a right between the two (a role, a bot, their account) receives nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from activity.domain_events import Subject
from bots.models import BotVersion
from tournaments.models import Challenge, Entry, Follow, Hook, Invitation, Match, Role, Seat, Stage, Tournament
from tournaments.webhooks.event_types import subject_of

Watch = Hook.Watch
# A condition that no row meets, which can be combined with others.
NOBODY: Final = Q(pk__in=[])


def audience(kind: str, about: dict[str, Any]) -> QuerySet[Hook]:
    """The active hooks of people who may receive it, regardless of the kinds they chose.

    Nobody where its rows are gone.
    """
    active = Hook.objects.filter(state=Hook.State.ACTIVE, user__is_active=True)
    subject = subject_of(kind)
    return active.filter(ASKED[subject](about)) if subject is not None else active.none()


def _of_match(about: dict[str, Any]) -> Q:
    match = Match.objects.select_related("stage__tournament").filter(uuid=about["match"]).first()
    if match is None:
        return NOBODY
    seats = Seat.objects.filter(match=match)
    # Sets of keys, read once: as sub-queries they would run for every hook there is.
    bots = set(seats.filter(bot_version__isnull=False).values_list("bot_version__bot", flat=True))
    owners = set(seats.filter(bot_version__isnull=False).values_list("bot_version__bot__owner", flat=True))
    sitting = {player for player in seats.values_list("player", flat=True) if player is not None}
    people = {user for user in seats.values_list("player__user", flat=True) if user is not None}
    follows = Q(match=match) | Q(bot__in=bots) | Q(person__in=owners | people) | Q(player__in=sitting)
    event = match.stage.tournament
    mine = Q(watch=Watch.MINE) & (Q(user__in=owners | people) | _has_role(event))
    return (mine | _one_event(event) | _one_bot(bots) | _follows(event, follows)) & _may_open(event)


def _of_round(about: dict[str, Any]) -> Q:
    """Select those who run the event or are entered there."""
    stage = Stage.objects.select_related("tournament").filter(uuid=about["stage"]).first()
    if stage is None or not stage.rounds.filter(number__in=about["rounds"]).exists():
        return NOBODY
    return _of_people_of(stage.tournament)


def _of_event(about: dict[str, Any]) -> Q:
    event = Tournament.objects.filter(slug=str(about["channel"]).removeprefix("t:")).first()
    return _of_people_of(event) if event is not None else NOBODY


def _of_people_of(event: Tournament) -> Q:
    entries = Entry.objects.filter(tournament=event)
    entered = Exists(entries.filter(Q(player__bot__owner=OuterRef("user")) | Q(player__user=OuterRef("user"))))
    bots = set(entries.filter(player__bot__isnull=False).values_list("player__bot", flat=True))
    mine = Q(watch=Watch.MINE) & (_has_role(event) | Q(entered))
    return (mine | _one_event(event) | _one_bot(bots) | _follows(event, NOBODY)) & _may_open(event)


def _of_failure(about: dict[str, Any]) -> Q:
    """Select its owner alone, and for a match those who run the event: they see the forfeit anyway."""
    version = BotVersion.objects.select_related("bot").filter(uuid=about["version"]).first()
    if version is None:
        return NOBODY
    found = Q(watch=Watch.MINE, user=version.bot.owner_id) | _one_bot({version.bot_id})
    event = Tournament.objects.filter(stages__matches__uuid=about["match"]).first() if about["match"] else None
    return found if event is None else found | (_one_event(event) & _may_open(event))


def _of_challenge(about: dict[str, Any]) -> Q:
    """Select those who asked, and the owners of both; followers of either bot unless it is somebody's own A/B test."""
    rows = Challenge.objects.select_related("candidate__bot", "reference__bot", "stage__tournament")
    found = rows.filter(uuid=about["challenge"]).first()
    if found is None:
        return NOBODY
    bots = {found.candidate.bot_id, found.reference.bot_id}
    own = {found.by_id, found.candidate.bot.owner_id, found.reference.bot.owner_id}
    asked = Q(watch=Watch.MINE, user__in=own) | _one_bot(bots)
    if not found.of_two_owners:
        return asked
    follows = Follow.objects.filter(user=OuterRef("user"), bot__in=bots)
    return asked | (Q(watch=Watch.FOLLOWED) & Q(Exists(follows)))


def _of_ping(about: dict[str, Any]) -> Q:
    return Q(uuid=about["hook"])


ASKED: Final[Mapping[Subject, Callable[[dict[str, Any]], Q]]] = {
    Subject.EVENT: _of_event,
    Subject.MATCH: _of_match,
    Subject.REPORT: _of_match,
    Subject.ROUND: _of_round,
    Subject.VERSION: _of_failure,
    Subject.CHALLENGE: _of_challenge,
    Subject.HOOK: _of_ping,
}


def _has_role(event: Tournament) -> Q:
    return Q(Exists(Role.objects.filter(tournament=event, user=OuterRef("user"))))


def _one_event(event: Tournament) -> Q:
    return Q(watch=Watch.EVENT, tournament=event) & _has_role(event)


def _one_bot(bots: set[int]) -> Q:
    return Q(watch=Watch.BOT, bot__in=bots, bot__owner=F("user"))


def _follows(event: Tournament, others: Q) -> Q:
    """Select followers of the event, or (where the event is one that lists name) of something else in it."""
    rows = Follow.objects.filter(user=OuterRef("user"))
    found = Q(Exists(rows.filter(tournament=event)))
    if event.visibility == Tournament.Visibility.PUBLIC:
        found |= Q(Exists(rows.filter(others)))
    return Q(watch=Watch.FOLLOWED) & found


def _may_open(event: Tournament) -> Q:
    """Select as `lifecycle.visibility.visible_to` does for one person, for all hooks at once."""
    if event.state != Tournament.State.DRAFT and event.visibility != Tournament.Visibility.PRIVATE:
        return Q()
    seen = _has_role(event)
    if event.state != Tournament.State.DRAFT:
        seen |= Q(Exists(Entry.objects.filter(tournament=event, player__bot__owner=OuterRef("user"))))
        invited = Invitation.objects.filter(tournament=event, user=OuterRef("user"))
        seen |= Q(Exists(invited.filter(state__in=(Invitation.State.OPEN, Invitation.State.ACCEPTED))))
    return seen
