"""Invariants of an event whose people share a side, after any acts in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tournaments.models import Entry, Match, Member, PartnerDraw, Seat, StageEntry, Tournament
from tournaments.pairing.lineups_query import lineup_of, team_size

E, M = Entry.State, Match.State
NOT_BEGUN = (M.READY, M.CALLED)


def team_faults_of(event: Tournament) -> list[str]:
    """Return everything that is not as it must be; empty when all is well."""
    return [*_of_members(event), *_of_tables(event), *_at_two_tables(event), *_of_draws(event)]


def _of_members(event: Tournament) -> Iterator[str]:
    """Check that a person in a team is there for it alone, and that a team that plays is whole."""
    size = team_size(event)
    now = Member.objects.filter(team__tournament=event, until_round=None).select_related("person", "team")
    inside = {member.person_id for member in now}
    for entry in Entry.objects.filter(tournament=event, members=None):
        if (entry.state == E.PARTNERED) != (entry.pk in inside) and not _has_left_with_it(entry):
            yield f"{entry} is {entry.state}, in a team: {entry.pk in inside}"
    numbers: dict[int, list[int]] = {}
    for member in now:
        numbers.setdefault(member.team_id, []).append(member.number)
    for team in Entry.objects.filter(tournament=event, members__isnull=False).distinct():
        if sorted(numbers.get(team.pk, [])) != list(range(1, size + 1)):
            yield f"{team} has the members {sorted(numbers.get(team.pk, []))}"
        if team.state == E.PARTNERED:
            yield f"{team} is a member of a team"
    for row in StageEntry.objects.filter(stage__tournament=event).select_related("entry"):
        if not row.entry.members.exists():
            yield f"{row.entry} is drawn alone"


def _has_left_with_it(entry: Entry) -> bool:
    """Check that a person whose team left has left, too, and is still its member."""
    return entry.state == E.WITHDRAWN and entry.memberships.filter(until_round=None, team__state=E.WITHDRAWN).exists()


def _of_tables(event: Tournament) -> Iterator[str]:
    """Check that at a table that has not begun sit the members of its round, each as often as another."""
    matches = Match.objects.filter(stage__tournament=event, state__in=NOT_BEGUN, round__isnull=False)
    for match in matches.select_related("stage", "round").prefetch_related("seats"):
        assert match.round is not None
        sides: dict[int, list[int]] = {}
        for seat in match.seats.all():
            sides.setdefault(seat.entry_id or 0, []).append(seat.player_id or 0)
        meant = lineup_of(sides, match.stage.order, match.round.number)
        for team, players in sides.items():
            if sorted(players) != sorted(meant.get(team, [])):
                yield f"table {match.table_no} of {match.round} has others of a team than play for it"


def _at_two_tables(event: Tournament) -> Iterator[str]:
    seats = Seat.objects.filter(match__stage__tournament=event, match__state__in=(M.CALLED, M.PLAYING))
    places = Counter(name for name, _match in set(seats.values_list("player__name", "match")))
    yield from (f"{name} sits at {n} tables" for name, n in places.items() if n > 1)


def _of_draws(event: Tournament) -> Iterator[str]:
    """Check that there is always one draw that is committed to and not made, and that the numbers have no gap."""
    draws = list(PartnerDraw.objects.filter(tournament=event).order_by("number"))
    if [draw.number for draw in draws] != list(range(1, len(draws) + 1)):
        yield "draws of partners are missing"
    if sum(draw.drawn_at is None for draw in draws) != 1:
        yield "no draw, or several, are committed to"
