"""Whose fault a `timeout.wall` is, where one attempt does not tell (tournaments.md section 9).

The first one in a match may have been our own load, so another attempt decides. A bot could have every match that goes
badly played again by going to sleep, so a version is given the benefit of that doubt three times a day. On a machine
that is really overloaded its opponents do not answer either: then nobody's first one counts.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from bots.jobs import attempts
from bots.runner.table import Played
from tournaments.models import Match, Seat

WITHIN: Final = timedelta(days=1)
DOUBTS: Final = 3


def judge_walls(match: Match, played: Played) -> None:
    """Raise attempts.Suspect if a timeout of this attempt is to be seen once more before it counts."""
    attempts.judge_walls(match, played, is_known=lambda seat: _is_used_up(match, seat))


def _is_used_up(match: Match, seat: int) -> bool:
    """Whether its version was doubted in three other matches within a day, more often than all opponents there."""
    version = match.seats.values_list("bot_version", flat=True).get(index=seat)
    since = timezone.now() - WITHIN
    lately = Match.objects.filter(seats__bot_version=version, claimed_at__gte=since).exclude(suspects=[])
    doubted = dict(lately.exclude(pk=match.pk).values_list("pk", "suspects"))
    rows = Seat.objects.filter(match__in=doubted).values_list("match", "index", "bot_version")
    own = [who == version for pk, index, who in rows if index in doubted[pk]]
    return sum(own) >= DOUBTS and sum(own) > len(own) - sum(own)
