"""Public pages of people and bots: what they entered, what they played; and what a person follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.models import User
from bots.models import Bot
from tournaments.models import Entry, Follow, Match, Stage, Standing, Tournament
from tournaments.selectors.events import listed, named_to, visible_to, with_figures
from tournaments.selectors.people_ratings import PersonRating, ratings_of
from tournaments.selectors.schedule import seats_named

M = Match.State

CHALLENGE = "challenge"
"""The policy of comparisons: they have a list of their own."""


@dataclass(frozen=True, slots=True)
class BotPage:
    """A bot's page beside its versions. entries: with `tournament` and, prefetched, their standing now."""

    entries: Sequence[Entry]
    matches: Sequence[Match]
    following: bool


def bot_page(bot: Bot, viewer: User | None, *, limit: int = 20) -> BotPage:
    """What a bot entered and played lately, as far as the viewer may know. Five queries."""
    seen = named_to(viewer, "tournament__")
    entries = Entry.objects.filter(seen, player__bot=bot).select_related("tournament", "bot_version")
    now = Prefetch("standings", Standing.objects.filter(after_round=0), to_attr="standing_now")
    in_match = named_to(viewer, "stage__tournament__")
    entries = entries.exclude(tournament__policies__has_key=CHALLENGE)
    in_match &= ~Q(stage__kind=Stage.Kind.GAUNTLET)
    matches = Match.objects.filter(in_match, seats__bot_version__bot=bot, state__in=(M.CONFIRMED, M.CLAIMED))
    recent = matches.select_related("stage__tournament").order_by("-finished_at", "-id")
    return BotPage(
        entries=list(entries.prefetch_related(now).order_by("-id")[:limit]),
        matches=list(recent.prefetch_related(seats_named())[:limit]),
        following=viewer is not None and Follow.objects.filter(user=viewer, bot=bot).exists(),
    )


@dataclass(frozen=True, slots=True)
class PersonPage:
    """A person's public page. bots: with `matches_n`; organised: public tournaments they run.

    ratings: of events that count for them, where they said that they played.
    """

    person: User
    bots: Sequence[Bot]
    organised: Sequence[Tournament]
    ratings: Sequence[PersonRating]


def person_page(username: str) -> PersonPage:
    """Raises User.DoesNotExist. Five queries."""
    person = User.objects.get(username=username, is_active=True)
    bots = Bot.objects.filter(owner=person).select_related("active_version")
    played = Count("player__entries", distinct=True, filter=~Q(player__entries__state=Entry.State.WITHDRAWN))
    organised = with_figures(listed(None).filter(roles__user=person)).distinct().order_by("-id")
    listed_bots = list(bots.annotate(entries_n=played).order_by("name")[:100])
    return PersonPage(person, listed_bots, list(organised[:30]), ratings_of(person))


@dataclass(frozen=True, slots=True)
class Followed:
    """The page "what I follow"."""

    tournaments: Sequence[Tournament]
    bots: Sequence[Bot]
    entered: Sequence[Tournament]


def followed_by(user: User) -> Followed:
    """What a person follows, and what their bots are entered in. Three queries."""
    events = Tournament.objects.filter(visible_to(user))
    mine = Exists(Follow.objects.filter(user=user, tournament=OuterRef("pk")))
    entered = Exists(
        Entry.objects.filter(player__bot__owner=user, tournament=OuterRef("pk")).exclude(state=Entry.State.WITHDRAWN)
    )
    bots: QuerySet[Bot] = Bot.objects.filter(followers__user=user).select_related("owner", "active_version")
    return Followed(
        tournaments=list(with_figures(events.filter(mine)).order_by("-id")[:100]),
        bots=list(bots.order_by("name")[:100]),
        entered=list(with_figures(events.filter(entered).exclude(policies__has_key=CHALLENGE)).order_by("-id")[:100]),
    )
