"""What a signed-in person comes back for: their bots, their events, the table where they sit next. One query each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from accounts.models import User
from bots.models import Bot
from tournaments.lifecycle.json_lists import Listed
from tournaments.lifecycle.visibility import LIVE, SOON, visible_to
from tournaments.matches.schedule import newest_public, seats_named
from tournaments.models import Entry, Match, Player, Rating, Role, Seat, Tournament
from tournaments.models.event import SHELF
from tournaments.models.match import NEWEST
from tournaments.people.event_lists import with_winner
from tournaments.ratings.queries import Strength, strength_of, with_trend

M = Match.State
S = Tournament.State
BOTS = 8
EVENTS = 6
OWN_STATES = (S.DRAFT, *LIVE, *SOON, S.FINISHED)
OVER_SHOWN = 4
LATELY = 5
MATCHES = 8
SITS = (M.CALLED, M.PLAYING, M.REPORTED, M.DISPUTED)
"""States of a match while people are at its table or have to look at its result."""


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot of the reader. rating: of its active version where it played most, None before; lately: the places of its
    last matches, the newest first; matches: their keys.
    """

    bot: Bot
    rating: Strength | None
    lately: Sequence[int]
    matches: Sequence[int]


def own_bots(user: User) -> list[OwnBot]:
    """Return the newest bots of a person. Two queries, one for somebody without bots."""
    played = Seat.objects.filter(~Q(outcome=Seat.Outcome.OPEN), bot_version=OuterRef("active_version"))
    lately = played.filter(match__state=M.CONFIRMED).order_by(NEWEST)
    columns = {"ended": "match__finished_at", "keys": "match", "places": "place"}
    rows = Bot.objects.filter(owner=user).select_related("active_version")
    rows = rows.annotate(**{name: Listed(lately.values(it=F(field))[:MATCHES]) for name, field in columns.items()})
    bots = list(rows.order_by("-id")[:BOTS])
    if not bots:
        return []
    ratings = _ratings(bots)
    return [
        OwnBot(bot, ratings.get(bot.active_version_id or 0), _latest_places(vars(bot)), vars(bot)["keys"])
        for bot in bots
    ]


def _latest_places(found: dict[str, Any]) -> list[int]:
    """Return the places of a bot's matches that ended last, in the order of the rows of its matches."""
    ended = (each or "" for each in found["ended"])  # the column may be NULL
    rows = sorted(zip(ended, found["keys"], found["places"], strict=True), key=itemgetter(0, 1), reverse=True)
    return [place or 0 for _, _, place in rows[:LATELY]]


def last_matches(user: User, bots: Sequence[OwnBot]) -> tuple[list[Match], bool]:
    """Return the matches that a person or these bots of theirs ended last, and True.

    Where there are none: those that anybody ended last in public, and False. Each has `public_at`: when the last
    match of all in public ended. Two queries.
    """
    keys = {key for each in bots for key in each.matches}
    # All in one query: only its answer tells which of them are shown. Each part is found by an index of its own; joined
    # by OR they would be looked for in every seat and match there is.
    ended = Seat.objects.filter(match__state=M.CONFIRMED).order_by(NEWEST).values("match")
    # Not all that an entry of theirs played are their own; which are is asked of these few.
    sat = [ended.filter(each)[:MATCHES] for each in (Q(player__user=user), Q(entry__player__user=user))]
    parts: list[Any] = [keys, *sat, newest_public().values("pk")[:MATCHES]]
    first, *others = (Match.objects.filter(pk__in=part).order_by().values("pk") for part in parts)
    rows = Match.objects.filter(pk__in=first.union(*others), state=M.CONFIRMED)
    rows = rows.annotate(is_own=Case(When(Q(pk__in=keys) | _is_at(user), then=True), default=False))
    rows = rows.annotate(public_at=Subquery(newest_public().values("finished_at")[:1]))
    rows = rows.select_related("stage__tournament").prefetch_related(seats_named())
    found = list(rows.order_by("-is_own", "-finished_at", "-pk")[:MATCHES])
    has_own = bool(found) and vars(found[0])["is_own"]
    return [match for match in found if vars(match)["is_own"] or not has_own], has_own


def theirs(user: User) -> Callable[[Player], bool]:
    """Return the function that tells whether a player, read with its bot, is this person or a bot of theirs."""
    return lambda player: user.pk in (player.user_id, player.bot.owner_id if player.bot else None)


def _is_at(user: User) -> Q:
    """Of matches: those at whose table this person sits or sat, at a board of a team as elsewhere."""
    sits = Q(player__user=user) | Q(player=None, entry__player__user=user)
    return Q(Exists(Seat.objects.filter(sits, match=OuterRef("pk"))))


def _ratings(bots: Sequence[Bot]) -> dict[int, Strength]:
    """Return the ratings of their active versions, by version: of each the one with most results behind it."""
    versions = [bot.active_version_id for bot in bots if bot.active_version_id is not None]
    rows = with_trend(Rating.objects.filter(version__in=versions, pool__stage=None).select_related("pool"))
    found = sorted(rows, key=lambda row: row.events + row.pending)
    return {row.version_id or 0: strength_of(row) for row in found}


def own_event_keys(user: User) -> QuerySet[Any]:
    """Return the keys of the events that `own_events` finds."""
    rows = Tournament.objects.filter(visible_to(user)).filter(_is_run(user) | _is_entered(user))
    rows = rows.filter(state__in=OWN_STATES, is_challenge=False).alias(is_run=_is_run(user))
    return rows.order_by(Case(When(state=S.FINISHED, then=1), default=0), "-is_run", SHELF, "-id").values("pk")[:EVENTS]


def with_own(rows: QuerySet[Tournament], user: User) -> QuerySet[Tournament]:
    """Add what `own_events` asks of rows; `is_run`: the user organises it; `first`: who won what is over."""
    return with_winner(rows).annotate(is_run=_is_run(user), is_entered=_is_entered(user), own_shelf=SHELF)


def own_events(rows: Iterable[Tournament]) -> list[Tournament]:
    """Return of rows `with_own` what runs or comes of the events that their reader organises (these first) or is
    entered in; where these are few, the last of them that are over, too.
    """
    mine = [event for event in rows if _is_own(vars(event)) and event.state in OWN_STATES and not event.is_challenge]
    mine.sort(key=lambda it: (it.state == S.FINISHED, not vars(it)["is_run"], vars(it)["own_shelf"], -it.pk))
    going = sum(event.state != S.FINISHED for event in mine)
    return mine[: min(EVENTS, max(going, OVER_SHOWN))]


def _is_own(figures: dict[str, Any]) -> bool:
    return bool(figures["is_run"] or figures["is_entered"])


def _is_run(user: User) -> Exists:
    return Exists(Role.objects.filter(tournament=OuterRef("pk"), user=user))


def _is_entered(user: User) -> Exists:
    mine = Q(player__bot__owner=user) | Q(player__user=user)
    return Exists(Entry.objects.filter(mine, tournament=OuterRef("pk")).exclude(state=Entry.State.WITHDRAWN))


def next_table(user: User) -> Match | None:
    """Return the table that a person is called to. One query."""
    rows = Match.objects.filter(_is_at(user), state__in=SITS).select_related("stage__tournament", "round")
    return rows.order_by("-pk").first()
