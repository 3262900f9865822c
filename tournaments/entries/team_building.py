"""Rows of a team: made of people who are in none, and deleted again. Every caller has checked and locked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from core.printable import is_printable
from tournaments.models import Entry, Member, Player, Tournament

E = Entry.State
NAME_LENGTH: Final = 60
BETWEEN: Final = " & "


def build(event: Tournament, people: Sequence[Entry], by: User, *, name: str = "", seed: int | None = None) -> Entry:
    """Make the entry of a team; the first of the people is its captain. It is here once all of them are.

    people: with their players. name "": made of their names. Raises TournamentError "team.name_invalid",
    "team.name_taken".
    """
    called = read_name(event, name) if name else team_name([person.player.name for person in people])
    clubs = {person.player.club for person in people}
    club = clubs.pop() if len(clubs) == 1 else ""
    player = Player.objects.create(name=called, club=club, kind=Player.Kind.HUMAN)
    state = E.ACTIVE if all(person.state == E.ACTIVE for person in people) else E.ENTERED
    team = Entry.objects.create(tournament=event, player=player, seed=seed, state=state, entered_by=by)
    Member.objects.bulk_create(
        Member(team=team, person=person, number=number) for number, person in enumerate(people, start=1)
    )
    for person in people:
        person.state = E.PARTNERED
    Entry.objects.bulk_update(people, ["state"])
    return team


def dissolve(team: Entry) -> list[Entry]:
    """Take a team that was not drawn yet apart. Its people are single again, here if the team was."""
    people = [member.person for member in members_of(team)]
    for person in people:
        person.state = team.state if team.state in (E.ACTIVE, E.ENTERED) else E.ENTERED
    team.members.all().delete()
    Entry.objects.bulk_update(people, ["state"])
    player = team.player
    team.delete()
    player.delete()
    return people


def members_of(team: Entry) -> list[Member]:
    """Return the members who play for the team now, the captain first."""
    return list(team.members.filter(until_round=None).select_related("person__player").order_by("number"))


def end_row(member: Member, stage: int, number: int) -> None:
    """End the row before a round (its number, and that of its stage); delete one that would begin there."""
    if (member.from_stage, member.from_round) >= (stage, number):
        member.delete()
        return
    member.until_stage, member.until_round = stage, number
    member.save(update_fields=["until_stage", "until_round"])


def team_name(names: Sequence[str]) -> str:
    """Return the name of a team without one of its own; long names are cut so that all of them fit."""
    whole = BETWEEN.join(names)
    if len(whole) <= NAME_LENGTH:
        return whole
    room = (NAME_LENGTH - len(BETWEEN) * (len(names) - 1)) // len(names)
    return BETWEEN.join(name if len(name) <= room else f"{name[: room - 1].rstrip()}…" for name in names)


def read_name(event: Tournament, text: str, own: Entry | None = None) -> str:
    """A name for a team, which no other entry has. Raises "team.name_invalid", "team.name_taken"."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= NAME_LENGTH or not is_printable(name):
        message = _("Give the team a name of 1 to %(most)s printable characters.") % {"most": NAME_LENGTH}
        raise TournamentError(message, code="team.name_invalid")
    others = Entry.objects.filter(tournament=event, player__name__iexact=name)
    others = others.exclude(state__in=(E.WITHDRAWN, E.DISQUALIFIED))
    if own is not None:
        others = others.exclude(pk=own.pk)
    if others.exists():
        message = _("“%(name)s” is the name of another team or person here. Choose another one.")
        raise TournamentError(message % {"name": name}, code="team.name_taken")
    return name
