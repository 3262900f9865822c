"""Who sits for a team: its members in a round, and the commitment to the next draw of partners."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence

from django.db.models import Max
from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.formats.partners import committed
from tournaments.models import Entry, PartnerDraw, Stage, Tournament
from tournaments.selectors.lineups import lineup_of, singles_of

SEED_BYTES = 32


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
