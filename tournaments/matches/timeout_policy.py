"""Policy for a `timeout.wall` where one attempt does not tell whose fault it is (tournaments.md section 9).

The first one in a match may have been our own load, so another attempt decides. A person could have every match that
goes badly played again by bots that do not answer, so an owner is given the benefit of that doubt three times a day.
On a machine that is really overloaded others do not answer either: as many owners as there are doubts of this one. An
owner who is in doubt as often is no witness, so an accomplice is of use twice. Bots of the house are in every match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from bots.jobs import attempts
from bots.models import Bot
from bots.runner.table import Played
from tournaments.models import Match, Seat

WITHIN: Final = timedelta(days=1)
MAX_UNCERTAIN: Final = 3


def apply_timeout_policy(match: Match, played: Played) -> None:
    """Raise attempts.Suspect if a timeout of this attempt is to be seen once more before it counts."""
    attempts.apply_timeout_policy(match, played, is_known=lambda seat: _is_used_up(match, seat))


def _is_used_up(match: Match, seat: int) -> bool:
    """Return whether its owner's bots timed out too often.

    That is in three other matches within a day, and more often than there are witnesses.

    Always False for bots of the house: nobody gains by theirs.
    """
    bot = Bot.objects.get(versions__seats__match=match, versions__seats__index=seat)
    if bot.house:
        # Before the queries below: bots of the house sit in very many matches.
        return False
    lately = _timed_out(Match.objects.filter(seats__bot_version__bot__owner=bot.owner_id).exclude(pk=match.pk))
    own = {pk for pk, owner, _house in lately if owner == bot.owner_id}
    if len(own) < MAX_UNCERTAIN:
        return False
    beside = [(pk, owner, house) for pk, owner, house in lately if pk in own and owner != bot.owner_id]
    of_the_house = {pk for pk, _owner, house in beside if house}
    people = {owner for _pk, owner, house in beside if not house}
    # A house bot is a witness for each of its matches, a person once: they sit in few, and could help a friend.
    return len(own) > len(of_the_house) + len(people - _often_timed_out(people))


def _timed_out(matches: QuerySet[Match]) -> list[tuple[int, int, bool]]:
    """Return seats of these matches that timed out within a day: (match, bot's owner, whether it is the house's)."""
    # Filtered by the claim: `suspects` has no time of its own, and stays when the match is over.
    recent = matches.filter(claimed_at__gte=timezone.now() - WITHIN).exclude(suspects=[])
    suspects = dict(recent.values_list("pk", "suspects"))
    seats = Seat.objects.filter(match__in=suspects, bot_version__isnull=False)
    rows = seats.values_list("match", "index", "bot_version__bot__owner", "bot_version__bot__house")
    return [(pk, owner, house) for pk, index, owner, house in rows if index in suspects[pk]]


def _often_timed_out(owners: Collection[int]) -> set[int]:
    """Return those of these people whose bots timed out in three matches or more."""
    doubted = _timed_out(Match.objects.filter(seats__bot_version__bot__owner__in=owners))
    matches = Counter(owner for _pk, owner in {(pk, owner) for pk, owner, _house in doubted})
    return {owner for owner, count in matches.items() if count >= MAX_UNCERTAIN}
