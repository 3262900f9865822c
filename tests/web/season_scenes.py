"""Forms of seasons and clubs, and who may send each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from tests.builders import events as a
from tests.builders.seasons import SEASON_FIELDS, a_finished_event, a_season, in_order
from tests.web.scenes import Post, Scene
from tournaments.clubs.membership import join_club
from tournaments.models import (
    ClubMember,
    Role,
    Season,
    SeasonEvent,
    SeasonIdentity,
    SeasonPerson,
    SeasonRole,
    Tournament,
)
from tournaments.seasons.access import give_season_role
from tournaments.seasons.closing import close_season
from tournaments.seasons.events import add_event
from tournaments.seasons.people import merge_people
from tournaments.seasons.set_up import DivisionPlan

OWNER: Final = frozenset({"owner"})
RUNS_IT: Final = frozenset({"owner", "manager"})
ORGANISERS: Final = frozenset({"organiser", "director"})
EVERYBODY: Final = frozenset({*RUNS_IT, *ORGANISERS, "helper", "player", "stranger", "operator"})
TWO: Final = (DivisionPlan("A", down=1), DivisionPlan("B", up=1))
Fields = Callable[[Season], dict[str, str]]


def a_scene(path: str, fields: Fields = lambda season: {}, *, is_closed: bool = False) -> Scene:
    """Make a season that counts two events of one organiser and asks for a third.

    path: with the addresses of the season, the second event and the asked one. fields: what is sent.
    """
    people = {"owner": a.a_user(), "organiser": a.a_user(), "player": a.a_user(), "stranger": a.a_user()}
    people |= {"manager": a.a_user(), "director": a.a_user(), "helper": a.a_user(), "operator": a.a_user(is_staff=True)}
    by, organiser = people["owner"], people["organiser"]
    season = a_season(by, divisions=TWO)
    nights = (in_order("Aiko", "Ben"), in_order("Ben", "Aiko S."), in_order("Ben"))
    clubs, users = {"Aiko": "Lyon"}, {"Ben": people["player"]}
    events = [
        a_finished_event(organiser, ranks, days=days, name=f"Night {days}", clubs=clubs, users=users)
        for days, ranks in enumerate(nights)
    ]
    for event in events:
        Role.objects.create(user=people["director"], tournament=event, role="director")
        Role.objects.create(user=people["helper"], tournament=event, role="scorer")
    _add(season, events)
    give_season_role(season=season, by=by, username=people["manager"].username, role="manager")
    sent = fields(season)
    if is_closed:
        close_season(season=season, by=by)
    where = path.format(season=season.slug, event=events[1].slug, asked=events[2].slug)
    return Scene(people, where, sent, events[1])


def _add(season: Season, events: list[Tournament]) -> None:
    """Let the owner of the season, who is an organiser of the first two events for that moment, add all of them."""
    by = season.created_by
    roles = [Role.objects.create(user=by, tournament=event, role="director") for event in events[:2]]
    for event in events:
        add_event(season=season, by=by, slug=event.slug)
    for role in roles:
        role.delete()


def _uuid(season: Season, name: str) -> str:
    return str(season.people.get(name=name).uuid)


def _rules(season: Season) -> dict[str, str]:
    """Return the form of the season's rules with another name."""
    return {**SEASON_FIELDS, "name": "Another name"}


def _another_event(season: Season) -> dict[str, str]:
    return {"event": a_finished_event(a.a_user(), in_order("Chiyo"), name="Night 9").slug}


def _two_names(season: Season) -> dict[str, str]:
    return {"source": _uuid(season, "Aiko S."), "target": _uuid(season, "Aiko")}


def _entry(season: Season) -> dict[str, str]:
    return {"entry": str(season.people.get(name="Aiko").results.get().entry.uuid)}


def _merge(season: Season) -> dict[str, str]:
    return {"identity": str(merge_people(season=season, by=season.created_by, **_two_names(season)).uuid)}


def _division(season: Season) -> dict[str, str]:
    return {"person": _uuid(season, "Aiko"), "division": "1"}


def _new_role(season: Season) -> dict[str, str]:
    return {"user": a.a_user().username, "role": "manager"}


def _role(season: Season) -> dict[str, str]:
    return {"user": season.roles.get(role="manager").user.username}


def making() -> Scene:
    """A new season, as its form proposes it."""
    scene = a_scene("/seasons/new/")
    return Scene(scene.people, scene.path, SEASON_FIELDS, scene.event)


def of_club(verb: str) -> Scene:
    """A club to join, or one that everybody joined."""
    scene = a_scene(f"/clubs/lyon/{verb}/")
    for user in scene.people.values() if verb == "leave" else ():
        join_club(user=user, key="lyon")
    return scene


def _do(verb: str, fields: Fields = lambda season: {}, *, is_closed: bool = False) -> Callable[[], Scene]:
    return partial(a_scene, f"/seasons/{{season}}/do/{verb}/", fields, is_closed=is_closed)


SEASON_POSTS: Final[dict[str, Post]] = {
    "season.new": (making, EVERYBODY),
    "season.edit": (partial(a_scene, "/seasons/{season}/edit/", _rules), RUNS_IT),
    "season.add": (partial(a_scene, "/seasons/{season}/events/", _another_event), RUNS_IT),
    "season.weigh": (
        partial(a_scene, "/seasons/{season}/events/{event}/weigh/", lambda season: {"weight": "2"}),
        RUNS_IT,
    ),
    "season.remove": (partial(a_scene, "/seasons/{season}/events/{event}/remove/"), RUNS_IT),
    "season.merge": (_do("merge", _two_names), RUNS_IT),
    "season.separate": (_do("separate", _entry), RUNS_IT),
    "season.undo": (_do("undo", _merge), RUNS_IT),
    "season.assign": (_do("assign", _division), RUNS_IT),
    "season.give-role": (_do("give-role", _new_role), OWNER),
    "season.take-role": (_do("take-role", _role), RUNS_IT),
    "season.close": (_do("close"), OWNER),
    "season.reopen": (_do("reopen", is_closed=True), OWNER),
    "season.next": (
        partial(a_scene, "/seasons/{season}/next/", lambda season: {"name": "2028"}, is_closed=True),
        OWNER,
    ),
    "event.accept": (partial(a_scene, "/t/{asked}/seasons/{season}/accept/"), ORGANISERS),
    "event.remove": (partial(a_scene, "/t/{event}/seasons/{season}/remove/"), ORGANISERS),
    "event.decline": (partial(a_scene, "/t/{asked}/seasons/{season}/remove/"), ORGANISERS),
    "club.join": (partial(of_club, "join"), EVERYBODY),
    "club.leave": (partial(of_club, "leave"), EVERYBODY),
}
"""Who may do what. Who runs a season and does not organise its events decides nothing for these, and the reverse."""


def seasons_and_clubs() -> list[Any]:
    """Return what these forms may change."""
    return [
        list(Season.objects.order_by("id").values("name", "state", "best", "previous")),
        list(SeasonRole.objects.order_by("id").values("user", "role")),
        list(SeasonEvent.objects.order_by("id").values("state", "weight", "counts")),
        list(SeasonPerson.objects.order_by("id").values("uuid", "division", "is_assigned", "total")),
        list(SeasonIdentity.objects.order_by("id").values("source", "undone_at")),
        list(ClubMember.objects.order_by("id").values("user", "key")),
    ]
