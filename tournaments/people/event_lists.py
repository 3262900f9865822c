"""Lists of events: which of them a list may name, in which order, with the figures of their rows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from django.db.models import Case, Count, Exists, JSONField, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import JSONObject

from accounts.models import User
from core.formats import kinds
from tournaments.lifecycle.json_lists import JsonValue
from tournaments.lifecycle.visibility import IN_PLAY, LIVE, PAST, SOON, invited_to, sum_of, version_at
from tournaments.models import EntryTally, Invitation, Match, MatchTally, Role, Stage, Standing, Tournament
from tournaments.models.event import LISTED, SHELF

# The part of the order of `models.event.SHELF` that each filter of a list shows.
SHELVES: Final = {"live": (0,), "soon": (1, 2), "past": (3,), "archived": (4,)}

IN_HAND: Final = (Tournament.State.RUNNING, Tournament.State.PAUSED)
OVER: Final = (Tournament.State.FINISHED, Tournament.State.ARCHIVED)
FACE: Final = {
    "name": "entry__player__name",
    "card": "entry__player__bot__emblem_card",
    "colour": "entry__player__bot__emblem_colour",
}
"""Name of a row of standings with card and colour of the emblem, NULL for people, as `{% emblem %}` takes them."""


def listed(viewer: User | None = None) -> QuerySet[Tournament]:
    """Return tournaments that lists may name: public ones, the viewer's own, and those whose invitation they
    accepted.
    """
    return Tournament.objects.filter(_is_listed_to(viewer))


def _is_listed_to(viewer: User | None) -> Q:
    if viewer is None:
        return LISTED
    own = Exists(Role.objects.filter(tournament=OuterRef("pk"), user=viewer))
    accepted = Q(invited_to(viewer, "pk", [Invitation.State.ACCEPTED])) & ~Q(state=Tournament.State.DRAFT)
    return LISTED | Q(own) | accepted


def with_is_played(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add `is_played`, whether one of their matches is being played."""
    playing = (Match.State.CLAIMED, Match.State.PLAYING)
    found = MatchTally.objects.filter(stage__tournament=OuterRef("pk"), state__in=playing, n__gt=0)
    return rows.annotate(is_played=Exists(found))


def with_figures(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add the figures that rows of a list show, as sub-queries: entries in play, matches, matches done.

    round_n: the round of its last stage that was drawn last, NULL before the first; leader: who leads it alone, with
    the emblem; champion: who won the bracket that is its last stage, before the organiser confirms it.
    """
    # Sub-queries run for the rows of a page alone; a join with GROUP BY would count every event of the list.
    return rows.select_related("created_by").annotate(**_figures(kinds(lambda each: each.ranks_by_bracket)))


# Kept: to write them costs as much as to ask them, and a query copies those that it is annotated with.
@lru_cache(maxsize=8)
def _figures(by_bracket: tuple[str, ...]) -> dict[str, Any]:
    """Return the sub-queries of `with_figures` by name. by_bracket: the formats that rank by a bracket."""
    entries = EntryTally.objects.filter(tournament=OuterRef("pk"), state__in=IN_PLAY)
    matches = MatchTally.objects.filter(stage__tournament=OuterRef("pk")).exclude(state=Match.State.VOID)
    stage = Stage.objects.filter(tournament=OuterRef("pk")).order_by("order")
    rounds = matches.filter(round__isnull=False).order_by("-stage__order", "-round__number")
    brackets = Q(stage__kind__in=by_bracket)
    return {
        "entries_n": sum_of(entries, "tournament"),
        "matches_n": sum_of(matches, "stage__tournament"),
        "done_n": sum_of(matches.filter(state=Match.State.CONFIRMED), "stage__tournament"),
        "kind": Subquery(stage.values("kind")[:1]),
        "preset": Subquery(stage.values("preset")[:1]),
        "seats": Subquery(stage.values("seats_pref")[:1]),
        "scoring": Subquery(stage.values("scoring")[:1]),
        "round_n": Subquery(rounds.values("round__number")[:1]),
        # Who is ahead in a bracket is those who are still in it: none of them leads.
        "leader": _first_in(IN_HAND, brackets),
        # One alone there is nobody else's next opponent any more, unless the others have not played yet.
        "champion": _first_in(IN_HAND, ~brackets | _is_undecided()),
    }


def _is_undecided() -> Q:
    """Return, for a row of standings, whether the winner of its bracket is open or does not win the event."""
    later = Stage.objects.filter(tournament=OuterRef("stage__tournament"), order__gt=OuterRef("stage__order"))
    # Those still in share the first place in the bracket; points tell their ranks apart, and make no champion.
    still_in = Standing.objects.filter(stage=OuterRef("stage"), after_round=0, row=2, key__0="1")
    to_play = Match.objects.filter(stage=OuterRef("stage")).exclude(state__in=[Match.State.CONFIRMED, Match.State.VOID])
    return Q(Exists(later)) | Q(Exists(to_play)) | Q(Exists(still_in))


def with_winner(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add `first`: who won what is over, with the emblem, and who shares the first rank."""
    return rows.annotate(first=_firsts_in(OVER))


def tournament_list(
    viewer: User | None,
    *,
    when: str = "",
    preset: str = "",
    seats: int | None = None,
    words: str = "",
    who: str = "",
    where: str = "",
    with_ladders: bool = True,
) -> QuerySet[Tournament]:
    """Return the rows of the list page: live first, then what comes, then what is over, newest first.

    when: "live", "soon", "past" (over), "archived" (with what was called off before it began), "mine", "" or "all".
    Only "archived" and "all" have what is archived. preset, seats: of the first stage; words: in the name.
    with_ladders: also what `ladders_on` returns. Each row has the format of its first stage, and its winner once it is
    over. where: a part of its venue. who: "people", "bots", or "" for both; an event of both is in either.
    """
    own = viewer if when == "mine" else None
    rows = _in_list()
    rows = rows.filter(pk__among=own.roles.values("tournament")) if own else rows.filter(_is_listed_to(viewer))
    states = {"live": LIVE, "soon": SOON, "past": PAST, "archived": PAST}.get(when)
    rows = rows.alias(shelf=SHELF)
    if states:
        rows = rows.filter(state__in=states, shelf__in=SHELVES[when])
    elif when != "all":
        rows = rows.filter(shelf__lt=4)
    if words:
        rows = rows.filter(name__holds=words)
    if where:
        rows = rows.filter(venue__icontains=where)
    others = {"people": Tournament.Who.BOTS, "bots": Tournament.Who.PEOPLE}
    if who in others:
        rows = rows.exclude(who=others[who])
    if preset or seats:
        rows = rows.filter(_has_stage(preset, seats))
    if not with_ladders:
        rows = rows.exclude(_is_ladder_on())
    # All of one's own are sorted: who made them is asked only of those that are shown.
    return rows.select_related(None).prefetch_related("created_by") if own else rows


def _in_list() -> QuerySet[Tournament]:
    """Return all events with what a row of the list shows, in its order, to be filtered.

    Built for each request: compiling a query writes into its sub-queries, so two threads must not share them.
    """
    return with_winner(with_figures(Tournament.objects.all())).order_by(SHELF, "-id")


def _has_stage(preset: str, seats: int | None) -> Exists:
    wanted = Stage.objects.filter(tournament=OuterRef("pk"))
    wanted = wanted.filter(preset=preset) if preset else wanted
    return Exists(wanted.filter(seats_pref=seats) if seats else wanted)


def ladders_on(viewer: User | None) -> QuerySet[Tournament]:
    """Return the ladders that run now with their rules and who leads, newest first."""
    figures = _figures(())
    shown = {name: figures[name] for name in ("preset", "leader")}
    return listed(viewer).filter(_is_ladder_on()).annotate(**shown).order_by("-id")


def _is_ladder_on() -> Q:
    ladder = Stage.objects.filter(tournament=OuterRef("pk"), kind__in=kinds(lambda each: each.is_always_open))
    return Q(Exists(ladder), state__in=LIVE)


def _first_in(states: Iterable[str], without: Q | None = None) -> Case:
    """Return who is first in the last stage of an event in these states, as `FACE`; NULL where several are.

    without: rows of standings that say nothing of it.
    """
    table = Standing.objects.filter(after_round=0)
    other = table.filter(stage=OuterRef("stage"), row=2, rank=1)
    last = table.filter(stage__tournament=OuterRef("pk"), row=1, stage__groups_n=1).exclude(Exists(other))
    last = last.exclude(without) if without is not None else last
    return _json_in(states, last.order_by("-stage__order").values(found=JSONObject(**FACE)))


def _firsts_in(states: Iterable[str]) -> Case:
    """Return who is first in the last stage of an event in these states, as `FACE`.

    second: the next one on the same rank, NULL if it is alone there; n: how many are on it.
    """
    table = Standing.objects.filter(after_round=0)
    level = table.filter(stage=OuterRef("stage"), rank=1)
    last = table.filter(stage__tournament=OuterRef("pk"), row=1, stage__groups_n=1).annotate(
        second=JsonValue(level.filter(row=2).values(found=JSONObject(**FACE))[:1]),
        n=Subquery(level.values("rank").annotate(n=Count("pk")).values("n")),
    )
    return _json_in(states, last.order_by("-stage__order").values(found=JSONObject(**FACE, second="second", n="n")))


def _json_in(states: Iterable[str], found: QuerySet[Standing, Any]) -> Case:
    """Return the first of these objects for an event in these states, else NULL."""
    return Case(When(state__in=list(states), then=Subquery(found[:1])), default=None, output_field=JSONField())


def organised_by(viewer: User | None, rows: Iterable[Tournament]) -> set[int]:
    """Return the keys of these events that the viewer organises. One query, none of nothing."""
    keys = [row.pk for row in rows]
    if viewer is None or not keys:
        return set()
    kinds_of = (Role.Kind.OWNER, Role.Kind.DIRECTOR)
    found = Role.objects.filter(user=viewer, role__in=kinds_of, tournament__in=keys)
    return set(found.values_list("tournament", flat=True))


def on_or_soon(viewer: User | None) -> QuerySet[Tournament]:
    """Return what runs now, then what can be entered, then what is announced; newest first."""
    return listed(viewer).alias(shelf=SHELF).filter(shelf__lt=3).order_by("shelf", "-id")


def for_start_page(*keys: QuerySet[Any]) -> QuerySet[Tournament]:
    """Return the events of these keys in the order of `on_or_soon`, with what that page shows."""
    # As one list of keys: joined by OR, every event would be read. SQLite limits no part of a union but by its own.
    first, *others = (Tournament.objects.filter(pk__in=part).order_by().values("pk") for part in keys)
    rows = Tournament.objects.filter(pk__in=first.union(*others)).alias(shelf=SHELF).order_by("shelf", "-id")
    rows = rows.select_related("registration_settings")  # whether people can register is said beside the event
    return with_versions(with_is_played(with_figures(rows)))


def with_versions(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add `channel_version`, the newest version of each one's live channel."""
    return rows.annotate(channel_version=version_at())


def channels_of(rows: Iterable[Tournament]) -> str:
    """Return the live channels, with versions, of tournaments that `with_versions` gave, as pages name them."""
    return ",".join(f"{row.channel}@{getattr(row, 'channel_version', None) or 0}" for row in rows)
