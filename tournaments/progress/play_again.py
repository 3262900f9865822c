"""The question that a correction leaves open: a match of a bracket that others played than belong in it by now.

It is asked on the match's page once the match is over, or while it is played: keep it, or play it again.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.matches import MatchPlayedAgain
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import RULERS, label, may
from tournaments.lifecycle.written_reasons import written_reason
from tournaments.models import Entry, Match, Stage
from tournaments.progress.cascade import play_again_from, refold
from tournaments.scores.actions import still_drawn
from tournaments.standings.brackets import Place, places_of
from tournaments.undo.recorder import undoable


def who_belongs(match: Match) -> tuple[str, ...]:
    """The names of those who belong in a match by the results as they are now; none if those sit there who do."""
    place = _misplaced(match)
    if place is None:
        return ()
    rows = Entry.objects.filter(uuid__in=place.due.entries).order_by("seed")
    names = tuple(rows.values_list("player__name", flat=True))
    return names or (_("nobody: it is not needed, or what leads to it is open"),)


def _misplaced(match: Match) -> Place | None:
    stage = match.stage
    if not stage.format.is_bracket or stage.state != Stage.State.ACTIVE or match.round is None:
        return None
    if match.round.number < 2 or match.state == Match.State.VOID:
        return None
    spot = (match.round.number, match.table_no)
    return next((each for each in places_of(stage) if (each.round, each.pod.table) == spot and not each.is_right), None)


@undoable("play_again", RULERS)
def play_again(*, match: Match, by: User, reason: str) -> None:
    """Cancel a match that others belong in by now, and all that it fed; the next draw has them again.

    Raises TournamentError "tournament.not_organiser", "report.reason_needed", "match.not_misplaced" (those sit there
    who belong there, or it is done already).
    """
    said = written_reason(reason, kind="report")
    told: list[DomainEvent] = []
    with transaction.atomic():
        event = match.stage.tournament
        locks.lock_standings(event)
        may(event, by, RULERS, "play_again")
        rows = Match.objects.select_for_update(of=("self",)).filter(stage__tournament=event)
        list(rows.order_by("pk").values_list("pk"))
        match = still_drawn(Match.objects.select_related("stage__tournament", "stage__ruleset", "round"), match)
        place = _misplaced(match)
        if place is None:
            message = _("Those sit here who belong here, so it stays. Reload the page.")
            raise TournamentError(message, code="match.not_misplaced")
        audit(MatchPlayedAgain, label(match), actor=by, channel=event.channel, after={"reason": said})
        play_again_from(match, place, by, told)
        publish(*told)
        refold(match.stage)
