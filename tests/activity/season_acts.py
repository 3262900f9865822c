"""Examples of the acts of seasons, for the test of the audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from accounts.models import User
from tests.builders import events as a
from tests.builders.seasons import a_finished_event, a_season, in_order
from tournaments.models import Season, SeasonEvent
from tournaments.seasons.access import give_season_role, take_season_role
from tournaments.seasons.closing import close_season, make_next_season, reopen_season
from tournaments.seasons.events import accept_event, add_event, remove_event, weigh_event
from tournaments.seasons.people import assign_division, merge_people, separate_person, undo_identity
from tournaments.seasons.set_up import SeasonPlan, change_season, create_season, plan_of

Deed = Callable[[], object]
Example = Callable[[], tuple[User, Deed]]
SEASON_ACTS: Final = {
    "tournaments.clubs.membership": ("club_page", "join_club", "leave_club"),
    "tournaments.seasons.access": ("give_season_role", "take_season_role"),
    "tournaments.seasons.closing": ("close_season", "make_next_season", "moves_of", "reopen_season"),
    "tournaments.seasons.events": ("accept_event", "add_event", "remove_event", "still_there", "weigh_event"),
    "tournaments.seasons.people": ("alike", "assign_division", "merge_people", "separate_person", "undo_identity"),
    "tournaments.seasons.set_up": ("change_season", "create_season"),
}
"""Acts of seasons, by the module that does them."""
SEASONS_UNWRITTEN: Final = {
    "tournaments.alike": "reads",
    "tournaments.club_page": "reads",
    "tournaments.join_club": "a person's own list: they say it of themselves, and it changes nothing for anybody",
    "tournaments.leave_club": "as join_club",
    "tournaments.moves_of": "reads",
    "tournaments.still_there": "reads",
}
"""Those that leave no trace, and why."""


def _season() -> tuple[Season, SeasonEvent]:
    """Make a season with one event of three people."""
    by = a.a_user()
    season, event = a_season(by), a_finished_event(by, in_order("Aiko", "Ben"))
    return season, add_event(season=season, by=by, slug=event.slug)


def of_season(deed: Callable[[Season, User], object]) -> Example:
    """An act of the owner of a season."""

    def begin() -> tuple[User, Deed]:
        season, _row = _season()
        return season.created_by, lambda: deed(season, season.created_by)

    return begin


def of_row(deed: Callable[[SeasonEvent, User], object]) -> Example:
    """An act on an event of a season."""

    def begin() -> tuple[User, Deed]:
        season, row = _season()
        return season.created_by, lambda: deed(row, season.created_by)

    return begin


def accept() -> tuple[User, Deed]:
    """An organiser who agrees that a season counts their event."""
    by, other = a.a_user(), a.a_user()
    season, event = a_season(by), a_finished_event(other, in_order("Aiko"))
    row = add_event(season=season, by=by, slug=event.slug)
    return other, lambda: accept_event(row=row, by=other)


def another_event(season: Season, by: User) -> object:
    return add_event(season=season, by=by, slug=a_finished_event(by, in_order("Aiko")).slug)


def take(season: Season, by: User) -> object:
    person = a.a_user()
    give_season_role(season=season, by=by, username=person.username, role="manager")
    return take_season_role(season=season, by=by, username=person.username)


def merge(season: Season, by: User) -> object:
    add_event(season=season, by=by, slug=a_finished_event(by, in_order("Aiko S."), days=1).slug)
    one, other = season.people.get(name="Aiko S."), season.people.get(name="Aiko")
    return merge_people(season=season, by=by, source=str(one.uuid), target=str(other.uuid))


def separate(season: Season, by: User) -> object:
    entry = season.people.get(name="Aiko").results.get().entry
    return separate_person(season=season, by=by, entry=str(entry.uuid))


def undo(season: Season, by: User) -> object:
    separate(season, by)
    return undo_identity(row=season.identities.get(), by=by)


def assign(season: Season, by: User) -> object:
    person = season.people.get(name="Aiko")
    return assign_division(season=season, by=by, person=str(person.uuid), division=1)


def reopen(season: Season, by: User) -> object:
    return reopen_season(season=close_season(season=season, by=by), by=by)


def following(season: Season, by: User) -> object:
    return make_next_season(season=close_season(season=season, by=by), by=by, name="The next one")


def create() -> tuple[User, Deed]:
    """A new season."""
    by = a.a_user()
    return by, lambda: create_season(by=by, plan=SeasonPlan("Club league"))


SEASON_EXAMPLES: Final[dict[str, Example]] = {
    "tournaments.create_season": create,
    "tournaments.change_season": of_season(
        lambda season, by: change_season(season=season, by=by, plan=replace(plan_of(season), best=3))
    ),
    "tournaments.close_season": of_season(lambda season, by: close_season(season=season, by=by)),
    "tournaments.reopen_season": of_season(reopen),
    "tournaments.make_next_season": of_season(following),
    "tournaments.add_event": of_season(another_event),
    "tournaments.accept_event": accept,
    "tournaments.remove_event": of_row(lambda row, by: remove_event(row=row, by=by)),
    "tournaments.weigh_event": of_row(lambda row, by: weigh_event(row=row, by=by, weight=200)),
    "tournaments.give_season_role": of_season(
        lambda season, by: give_season_role(season=season, by=by, username=a.a_user().username, role="manager")
    ),
    "tournaments.take_season_role": of_season(take),
    "tournaments.merge_people": of_season(merge),
    "tournaments.separate_person": of_season(separate),
    "tournaments.undo_identity": of_season(undo),
    "tournaments.assign_division": of_season(assign),
}
"""An example of each act, by its name."""
