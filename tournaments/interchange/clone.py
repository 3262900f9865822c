"""A copy of an event's set-up as a draft, without its people, results and day."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from accounts.models import User
from tournaments.events.create import create_tournament
from tournaments.interchange.export import document_of
from tournaments.interchange.imports.actions import plan_of
from tournaments.interchange.settings_document import PRESENCE
from tournaments.lifecycle.floor_settings import minutes_of
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Tournament
from tournaments.pairing.constraints import seeding_of
from tournaments.ranking.copying import copy_prizes
from tournaments.registration.copying import copy_form

LOTS = "draw"


def clone_tournament(*, tournament: Tournament, by: User) -> Tournament:
    """Make a draft of the same set-up, for anyone who runs the event. Each call makes another draft.

    Raises TournamentError "tournament.not_organiser", "event.stages", and what `create_tournament` raises.
    """
    may(tournament, by, ORGANISERS, "another")
    plan = plan_of(document_of(tournament, matches=False))
    first = tournament.stages.select_related("tournament").order_by("order")[0]
    like = replace(
        plan,
        visibility=tournament.visibility,
        venue=tournament.venue,
        round_minutes=minutes_of(tournament) or None,
        boards=tournament.boards,
        team_score=tournament.team_score,
        team_best=tournament.team_best,
        seeding=LOTS if seeding_of(first).by == LOTS else "",
    )
    with transaction.atomic():
        made = create_tournament(by=by, plan=like)
        chosen = {name: getattr(tournament, name) for name in PRESENCE}
        Tournament.objects.filter(pk=made.pk).update(**chosen)
        copy_form(tournament, made)
        copy_prizes(tournament, made)
    made.refresh_from_db()
    return made
