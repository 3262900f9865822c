"""Substitutes: somebody plays for a team in place of a member, from a round on. Tables not begun follow."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from core.interchange.tables import EntryRow
from tournaments.domain_events.entries import SubstituteNamed
from tournaments.entries.people import DURING, new_people
from tournaments.entries.team_building import end_row, members_of
from tournaments.entries.teams import read_team, record_team_act, require_teams
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, Match, Member, Round, Stage, Tournament
from tournaments.pairing import lineups
from tournaments.progress.derive import fold_event
from tournaments.undo.recorder import undoable

E = Entry.State
FREE = (E.ENTERED, E.ACTIVE, E.WITHDRAWN)


@undoable("substitute")
def substitute(
    *, team: Entry, by: User, member: Entry, person: Entry | None = None, name: str = "", from_round: int | None = None
) -> Member:
    """Let `person` (or somebody new, called `name`) play in place of `member` from a round of the present stage on.

    from_round: None takes the first in which no table of the team has begun. A replaced member has left, and may come
    back as a substitute; with a reserve of the team they change places instead. A name that is known here means
    that person. The same twice changes nothing. Raises TournamentError "tournament.not_organiser", "team.not_here",
    "team.gone", "team.no_member", "team.not_single", "team.round_begun", "entry.closed", "entry.duplicate" (the name
    of somebody who plays already, or of several), and of somebody new what `add_person` raises.
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=team.tournament_id)
        may(event, by, ORGANISERS, "substitute")
        require_teams(event)
        row = read_team(team)
        before = _running(row)
        leaving = next((each for each in before if each.person_id == member.pk), None)
        coming = _known(row, name) if person is None else person
        present = next((each for each in before if coming is not None and each.person_id == coming.pk), None)
        # Before anything is refused: a form that was sent twice finds the substitute in the team already.
        if present is not None and (present == leaving or not _is_reserve(event, present)):
            return _already(present, leaving, is_typed=person is None)
        if leaving is None:
            message = _("They no longer play for %(name)s. Reload the page.")
            raise TournamentError(message % {"name": row.player.name}, code="team.no_member")
        stage, number = _from(event, row, leaving, from_round)
        if present is not None:
            found = _change_places(leaving, present, stage, number)
        else:
            coming = new_people(event, [EntryRow(1, name)], by)[0] if coming is None else _free(event, coming)
            found = _exchange(leaving, coming, stage, number)
        lineups.reseat(row, stage, number)
        details = {"member": leaving.person.player.name, "substitute": found.person.player.name, "round": number}
        record_team_act(row, SubstituteNamed, by, **details, stage=stage.order)
    fold_event(event)
    return found


def _known(team: Entry, name: str) -> Entry | None:
    """Return the one person of the event with this name, regardless of their club; None for somebody new.

    A second entry of the same person would have no results, and nobody could tell the two apart.
    """
    wanted = " ".join(name.split()).casefold()
    rows = Entry.objects.filter(tournament=team.tournament_id, members=None, player__bot=None).select_related("player")
    found = [row for row in rows if row.player.name.casefold() == wanted]
    if len(found) > 1:
        message = _("%(n)s people here are called %(name)s. Choose from the list, or add an initial.")
        raise TournamentError(message % {"n": len(found), "name": name}, code="entry.duplicate")
    if any(row.state == E.PARTNERED and not row.memberships.filter(team=team, until_round=None) for row in found):
        raise _duplicate(found[0])
    return found[0] if found else None


def _duplicate(person: Entry) -> TournamentError:
    message = _("%(name)s already plays here. Add an initial if this is somebody else.")
    return TournamentError(message % {"name": person.player.name}, code="entry.duplicate")


def _is_reserve(event: Tournament, member: Member) -> bool:
    """Return whether they play for a team and sit on no board."""
    return bool(event.boards) and member.number > event.boards


def _already(present: Member, leaving: Member | None, *, is_typed: bool) -> Member:
    """Return a member who plays already: doing it twice changes nothing, naming them for another one is a mistake."""
    if is_typed and leaving is not None and leaving != present:
        raise _duplicate(present.person)
    return present


def _running(team: Entry) -> list[Member]:
    """Return the members of the team, if it still plays."""
    if team.tournament.state not in DURING or team.state != E.ACTIVE:
        message = _("Substitutes are for teams that play. Before the start, take the team apart and make a new one.")
        raise TournamentError(message, code="entry.closed")
    return members_of(team)


def _free(event: Tournament, person: Entry) -> Entry:
    found = Entry.objects.select_related("player").filter(pk=person.pk, tournament=event, members=None).first()
    if found is None or found.state not in FREE:
        message = _("%(name)s cannot be a substitute: choose a person of this event who is not in a team.")
        raise TournamentError(message % {"name": person.player.name}, code="team.not_single")
    return found


def _from(event: Tournament, team: Entry, leaving: Member, wanted: int | None) -> tuple[Stage, int]:
    """Return the stage that is on, and the round from which the substitute plays.

    Of a team that sits apart one board counts.
    """
    stages = event.stages.exclude(state=Stage.State.PLANNED).select_related("tournament", "ruleset")
    stage = stages.order_by("-order")[0]
    own = {"seats__board": leaving.number} if event.boards else {}
    begun = Match.objects.filter(stage=stage, seats__entry=team, **own).exclude(state__in=lineups.NOT_BEGUN)
    over = Round.objects.filter(stage=stage, state__in=(Round.State.COMPLETE, Round.State.LOCKED))
    # A team with a bye had no table in a round that is over: nobody plays in it any more.
    numbers = (*begun.values_list("round__number", flat=True), *over.values_list("number", flat=True))
    last = max(numbers, default=0)
    if wanted is not None and wanted <= last:
        message = _("%(name)s is already playing in round %(n)s. Let the substitute play from round %(next)s on.")
        shown = {"name": team.player.name, "n": wanted, "next": last + 1}
        raise TournamentError(message % shown, code="team.round_begun", extra={"next": last + 1})
    return stage, wanted or last + 1


def _change_places(leaving: Member, reserve: Member, stage: Stage, number: int) -> Member:
    """Put the reserve on the board, and the member who sat there among the reserves, from this round on."""
    places = ((reserve.person_id, leaving.number), (leaving.person_id, reserve.number))
    # Both end before either begins: the database allows one open row for a number.
    for each in (leaving, reserve):
        end_row(each, stage.order, number)
    rows = [
        Member(team_id=leaving.team_id, person_id=person, number=board, from_stage=stage.order, from_round=number)
        for person, board in places
    ]
    Member.objects.bulk_create(rows)
    return Member.objects.select_related("person__player").get(person=reserve.person_id, until_round=None)


def _exchange(leaving: Member, coming: Entry, stage: Stage, number: int) -> Member:
    """End the member's row where the substitute's begins."""
    leaving.until_stage, leaving.until_round = stage.order, number
    leaving.save(update_fields=["until_stage", "until_round"])
    Entry.objects.filter(pk=leaving.person_id).update(state=E.WITHDRAWN)
    coming.state = E.PARTNERED
    coming.save(update_fields=["state"])
    return Member.objects.create(
        team_id=leaving.team_id,
        person=coming,
        number=leaving.number,
        from_stage=stage.order,
        from_round=number,
    )
