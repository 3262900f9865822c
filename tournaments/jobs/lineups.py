"""Who sits for a team: its members in a round, and the commitment to the next draw of partners."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.formats.partners import committed
from tournaments.jobs.planning import rules_of
from tournaments.models import Entry, Member, PartnerDraw, Stage, Tournament

SEED_BYTES = 32


def team_size(event: Tournament) -> int:
    """How many share a side in the event's first stage; 1 where everybody plays alone."""
    stage = event.stages.select_related("ruleset").order_by("order")[0]
    sides = rules_of(stage).sides(stage.seats_pref)
    return max(Counter(sides).values())


def teams_of(event: Tournament) -> QuerySet[Entry]:
    """The event's entries that have members."""
    return Entry.objects.filter(Exists(Member.objects.filter(team=OuterRef("pk"))), tournament=event)


def singles_of(event: Tournament, states: Sequence[str] = (Entry.State.ENTERED, Entry.State.ACTIVE)) -> QuerySet[Entry]:
    """People who are in no team now, in these states."""
    alone = ~Exists(Member.objects.filter(team=OuterRef("pk")))
    return Entry.objects.filter(alone, tournament=event, state__in=states)


def playing_in(stage_order: int, number: int) -> Q:
    """Members who play in a round of a stage: they came by then, and had not gone."""
    came = Q(from_stage__lt=stage_order) | Q(from_stage=stage_order, from_round__lte=number)
    gone = Q(until_stage__lt=stage_order) | Q(until_stage=stage_order, until_round__lte=number)
    return came & (Q(until_round=None) | ~gone)


def lineup_of(entries: Iterable[int], stage_order: int, number: int) -> dict[int, list[int]]:
    """Per team (key of its entry) the players of its members in a round, by number. One query."""
    rows = Member.objects.filter(playing_in(stage_order, number), team__in=list(entries)).order_by("team", "number")
    found: dict[int, list[int]] = {}
    for team, player in rows.values_list("team_id", "person__player_id"):
        found.setdefault(team, []).append(player)
    return found


def seated(stage: Stage, number: int, entries: Iterable[Entry]) -> dict[int, list[int]]:
    """Per entry (its key) who sits on its seats in a round, in order: its members, or its own player alone."""
    rows = {entry.pk: entry.player_id for entry in entries}
    teams = lineup_of(rows, stage.order, number) if stage.tournament.partners else {}
    return {pk: teams.get(pk) or [player] for pk, player in rows.items()}


def player_on(index: int, sides: Sequence[int], players: Sequence[int]) -> int:
    """Who sits on a seat: the members take the seats of their side in order. sides: of every seat, in order."""
    return players[sides[:index].count(sides[index]) % len(players)]


def refuse_singles(event: Tournament) -> None:
    """Nobody who is here is forgotten: whoever has no partner gets one, or is not here after all.

    Raises TournamentError "partners.singles_left".
    """
    if not event.partners:
        return
    here = singles_of(event, (Entry.State.ACTIVE,)).order_by("player__name")
    names = list(here.values_list("player__name", flat=True)[:10])
    if names:
        message = _(
            "Here and without a partner: %(names)s. Draw partners, make a team by hand, or note them as not here."
        )
        shown = {"names": ", ".join(names)}
        raise TournamentError(message % shown, code="partners.singles_left", extra={"names": names})


def commit_to_draw(event: Tournament) -> PartnerDraw:
    """The next draw of partners is committed to, before anybody can know it. Needs a transaction."""
    seed = secrets.token_bytes(SEED_BYTES)
    last = event.partner_draws.aggregate(last=Max("number"))["last"] or 0
    return PartnerDraw.objects.create(tournament=event, number=last + 1, secret=seed, commitment=committed(seed))
