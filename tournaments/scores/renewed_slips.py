"""New slips and captains' addresses in place of ones that fell into the wrong hands; the old ones are dead."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.entries import CaptainRenewed
from tournaments.domain_events.matches import SlipRenewed
from tournaments.lifecycle.transitions import ORGANISERS, RULERS, may
from tournaments.models import Entry, LinkRenewal, Match, Member, Tournament
from tournaments.scores.slips import CLOSED, has_slip


def renew_slip(*, match: Match, side: int, by: User) -> LinkRenewal:
    """Make a new slip for one side of a table. The old one opens nothing, also on phones that have scanned it.

    Raises TournamentError "tournament.not_organiser", "slip.of_bot" (that side has none), "slip.closed" (the table is
    over).
    """
    with transaction.atomic():
        # Locked: the table may be confirmed at this very moment, and then nobody needs a slip.
        row = Match.objects.select_for_update(of=("self",)).select_related("stage__tournament").get(pk=match.pk)
        event = row.stage.tournament
        may(event, by, RULERS, "renew_slip")
        if not has_slip(row, side):
            message = _(
                "A bot plays there, and bots do not confirm results. Use the slip of a person, or ask a scorer."
            )
            raise TournamentError(message, code="slip.of_bot")
        if row.state in CLOSED:
            raise TournamentError(_("The table is over, so nobody needs a new slip."), code="slip.closed")
        renewal = LinkRenewal.objects.create(match=row, side=side, made_by=by)
        audit(SlipRenewed, f"match:{row.uuid}", actor=by, channel=event.channel, after={"side": side})
        publish(SlipRenewed(event.channel, match=str(row.uuid)), SlipRenewed(row.channel))
    return renewal


def renew_captain(*, team: Entry, by: User) -> LinkRenewal:
    """Make a new address for a team's captain; the old one is dead.

    Raises "tournament.not_organiser", "captain.none".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=team.tournament_id)
        may(event, by, ORGANISERS, "renew_captain")
        if not Member.objects.filter(team=team, until_round=None).exists():
            raise TournamentError(_("Nobody is in this team, so it has no captain."), code="captain.none")
        renewal = LinkRenewal.objects.create(team=team, made_by=by)
        named = {"name": team.player.name}
        audit(CaptainRenewed, f"entry:{team.uuid}", actor=by, channel=event.channel, after=named)
        publish(CaptainRenewed(event.channel, name=team.player.name))
    return renewal
