"""Seating of teams: the members that play in a round, and the commitment to the next draw of partners."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.alphabet import ByName
from accounts.phrasing import listed
from core.errors import TournamentError
from core.formats.model import Pod
from core.formats.partners import committed
from tournaments.matches.deal_sets import rules_of
from tournaments.models import Entry, Match, PartnerDraw, Seat, Stage, Tournament
from tournaments.pairing.lineups_query import boards_of, lineup_of, singles_of

SEED_BYTES = 32
# Tables at which the members of a team may still be others.
NOT_BEGUN = (Match.State.PENDING, Match.State.READY, Match.State.CALLED)
GONE = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)


def seated(stage: Stage, number: int, entries: Iterable[Entry]) -> dict[int, list[int]]:
    """Return, per entry (its key), the players on its seats in a round, in order: its members, or its player alone."""
    rows = {entry.pk: entry.player_id for entry in entries}
    teams = lineup_of(rows, stage.order, number) if stage.tournament.partners else {}
    return {pk: teams.get(pk) or [player] for pk, player in rows.items()}


def player_on(index: int, sides: Sequence[int], players: Sequence[int]) -> int:
    """Return the player on a seat: the members take the seats of their side in order.

    sides: of every seat, in order.
    """
    return players[sides[:index].count(sides[index]) % len(players)]


def on_boards(stage: Stage, number: int, entries: Iterable[Entry]) -> dict[int, dict[int, int]]:
    """Return, per team that sits apart (its key), the player by board in a round; an empty board is left out.

    All boards of a team that has left are empty.
    """
    here = [entry.pk for entry in entries if entry.state not in GONE]
    return boards_of(here, stage.order, number) if stage.tournament.boards else {}


def board_seats(
    match: Match, pod: Pod, entries: Mapping[str, tuple[Entry, int | None]], boards: Mapping[int, Mapping[int, int]]
) -> list[Seat]:
    """Return the seats (not saved) of a table of teams that sit apart, in the pod's order.

    boards: as of `on_boards`.
    """
    seats = []
    for index, (name, board) in enumerate(zip(pod.seats, pod.boards, strict=True)):
        entry = entries[name][0]
        player = boards.get(entry.pk, {}).get(board)
        seats.append(Seat(match=match, index=index, side=index, entry=entry, player_id=player, board=board))
    return seats


def reseat(team: Entry, stage: Stage, number: int) -> list[Seat]:
    """Put the members of their round on the seats of a team's tables that are drawn and not begun, from a round on.

    Returns the seats that have another player now.
    """
    matches = Match.objects.filter(stage=stage, seats__entry=team, state__in=NOT_BEGUN, round__number__gte=number)
    rounds: dict[int, list[Match]] = {}
    for match in matches.distinct().select_related("round").order_by("round__number", "table_no"):
        rounds.setdefault(match.round.number if match.round else 0, []).append(match)
    changed = [seat for each, rows in rounds.items() for seat in _reseated(team, stage, each, rows)]
    Seat.objects.bulk_update(changed, ["player"])
    return changed


def _reseated(team: Entry, stage: Stage, number: int, matches: Sequence[Match]) -> Iterator[Seat]:
    boards = on_boards(stage, number, [team]).get(team.pk, {})
    players = seated(stage, number, [team])[team.pk]
    for match in matches:
        sides = rules_of(stage).sides(match.seats_n)
        for seat in match.seats.filter(entry=team):
            sits = player_on(seat.index, sides, players) if seat.board is None else boards.get(seat.board)
            if sits != seat.player_id:
                seat.player_id = sits
                yield seat


def refuse_singles(event: Tournament) -> None:
    """Refuse to start while somebody who is here has no partner.

    Raises TournamentError "partners.singles_left".
    """
    if not event.partners:
        return
    here = singles_of(event, (Entry.State.ACTIVE,)).order_by(ByName("player__name"), "pk")
    names = list(here.values_list("player__name", flat=True)[:10])
    if names:
        message = _("Checked in without a partner: %(names)s. Draw partners, make a team by hand, or check them out.")
        shown = {"names": listed(names)}
        raise TournamentError(message % shown, code="partners.singles_left", extra={"names": names})


def commit_to_draw(event: Tournament) -> PartnerDraw:
    """Commit to the next draw of partners, before anybody can know it. Needs a transaction."""
    seed = secrets.token_bytes(SEED_BYTES)
    # Draws that were undone keep their number, so the next one is beyond all of them.
    last = event.partner_draws.aggregate(last=Max("number"))["last"] or 0
    return PartnerDraw.objects.create(tournament=event, number=last + 1, secret=seed, commitment=committed(seed))
