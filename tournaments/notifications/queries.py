"""Things that wait for a person to act: held matches of events they run, suspended bots of theirs, invitations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from accounts.models import User
from bots.selectors.benching import SuspensionLine, suspended_of
from tournaments.lifecycle.visibility import ORGANISERS
from tournaments.models import Invitation, Match, Tournament
from tournaments.webhooks.queries import stopped_of

SHOWN = 20


@dataclass(frozen=True, slots=True)
class QuarantinedLine:
    """An event with held matches, for anyone who runs it."""

    slug: str
    name: str
    n: int


@dataclass(frozen=True, slots=True)
class Notices:
    """The notices of a person's account page."""

    quarantined: Sequence[QuarantinedLine]
    benched: Sequence[SuspensionLine]
    hooks: int = 0
    """How many of their hooks we have switched off."""
    invitations: int = 0
    """How many invitations wait for their answer."""

    @property
    def quarantined_n(self) -> int:
        """Held matches of all their events."""
        return sum(line.n for line in self.quarantined)


def notices_for(user: User) -> Notices:
    """Return what waits for this person. Five queries at most."""
    roles = {"stage__tournament__roles__user": user, "stage__tournament__roles__role__in": ORGANISERS}
    rows = Match.objects.filter(state=Match.State.QUARANTINED, **roles).order_by("stage__tournament__name")
    counted = rows.values_list("stage__tournament__slug", "stage__tournament__name").annotate(
        # DISTINCT: somebody with two roles in an event would have each of its matches counted twice.
        n=Count("pk", distinct=True)
    )
    held = [QuarantinedLine(*row) for row in counted[:SHOWN]]
    return Notices(held, suspended_of(user), stopped_of(user), _invitations(user))


def _invitations(user: User) -> int:
    over = (Tournament.State.DRAFT, Tournament.State.ARCHIVED, Tournament.State.CANCELLED)
    rows = Invitation.objects.filter(user=user, state=Invitation.State.OPEN)
    return rows.exclude(tournament__state__in=over).count()
