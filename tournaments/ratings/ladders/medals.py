"""Medals of the official ladders: given once, when a season's table is final."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from activity.journal import audit, publish
from bots.models import Bot
from tournaments.domain_events.tournaments import LadderSeasonEnded
from tournaments.lifecycle.transitions import label
from tournaments.models import Entry, LadderMedal, LadderSeason, Stage, Tournament
from tournaments.ratings.ladders import ladder
from tournaments.ratings.ladders.ladder import Line

MEDALS: Final = 3
MIN_DEAL_SETS: Final = 10
"""Deal sets that a bot has to have in a season to count: before, its rating says more about luck than about play."""
OVER: Final = Q(stage__state=Stage.State.CLOSED) | Q(stage__tournament__state=Tournament.State.CANCELLED)
Outcome = LadderSeason.Outcome


@dataclass(frozen=True, slots=True)
class Contender:
    """A bot that counts for medals. line: its row of the final table; place: among those that count, from 1."""

    line: Line
    bot: Bot
    place: int


def end_seasons() -> int:
    """End every season whose ladder is closed or cancelled. Returns how many. Harmless twice at once, and late.

    Nothing here looks at the clock: a ladder closes when its month is over and its last match is played, whether that
    is at midnight or when the machine is on again a week later.
    """
    return sum(_end(pk) for pk in waiting().values_list("pk", flat=True))


def waiting() -> QuerySet[LadderSeason]:
    """Return the seasons that are over and have not ended yet."""
    return LadderSeason.objects.filter(OVER, ended_at=None).order_by("pk")


@transaction.atomic
def _end(pk: int) -> bool:
    # Asked again under the row's lock: of two sweeps at once the second finds it ended.
    season = LadderSeason.objects.select_for_update().filter(pk=pk, ended_at=None).first()
    if season is None:
        return False
    stage = Stage.objects.select_related("tournament").get(pk=season.stage_id)
    is_cancelled = stage.tournament.state == Tournament.State.CANCELLED
    contenders = [] if is_cancelled else contenders_of(stage)
    given = _give(season, contenders)
    season.contenders, season.ended_at = len(contenders), timezone.now()
    season.outcome = Outcome.CANCELLED if is_cancelled else Outcome.MEDALS if given else Outcome.TOO_FEW
    season.save(update_fields=["contenders", "ended_at", "outcome"])
    medals = [{"bot": medal.bot.slug, "place": medal.place} for medal in given]
    channel = stage.tournament.channel
    audit(LadderSeasonEnded, label(stage), actor=None, channel=channel, after={"medals": medals})
    publish(LadderSeasonEnded(channel, outcome=season.outcome, medals=medals))
    return True


def _give(season: LadderSeason, contenders: Sequence[Contender]) -> list[LadderMedal]:
    medals = []
    for each in contenders[: _within(contenders)]:
        rating = each.line.rating
        assert rating is not None, "who counts was rated"
        figures = {"n": rating.n, "value": each.line.value, "deal_sets": rating.events + rating.pending}
        row = LadderMedal(season=season, entry_id=each.line.entry, bot=each.bot, place=each.place, **figures)
        medals.append(row)
    LadderMedal.objects.bulk_create(medals)
    return medals


def _within(contenders: Sequence[Contender]) -> int:
    """Return how many of the contenders, in their order, get a medal."""
    # One less than there are: nobody gets a medal for the last place.
    most = min(MEDALS, len(contenders) - 1)
    return sum(each.place <= most for each in contenders)


def contenders_of(stage: Stage) -> list[Contender]:
    """Return the bots that count for medals, the best first: in the ladder to its end, not suspended, with deal sets
    enough. The house's bots are ranked in the table and take no medals.
    """
    rated = [line for line in ladder.lines_of(stage) if _counted(line) >= MIN_DEAL_SETS]
    there = Entry.objects.filter(tournament=stage.tournament_id, state=Entry.State.ACTIVE, player__bot__house=False)
    bots = there.filter(player__bot__suspended_at=None).select_related("player__bot").in_bulk()
    found: list[Contender] = []
    for line in rated:
        entry = bots.get(line.entry)
        bot = entry.player.bot if entry is not None else None
        if bot is not None:
            found.append(Contender(line, bot, _place(found, line.value)))
    return found


def _counted(line: Line) -> int:
    return line.rating.events + line.rating.pending if line.rating is not None else 0


def _place(before: Sequence[Contender], value: Decimal) -> int:
    """Return the place after these: the same as the last one's if both are tied."""
    if before and before[-1].line.value == value:
        return before[-1].place
    return len(before) + 1
