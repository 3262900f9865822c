"""One match as its page shows it: seats, result, record, and whether the seed may be shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from accounts.models import User
from core.interchange.event_ids import original
from tournaments.lifecycle.rulings import ruled
from tournaments.lifecycle.visibility import visible_to
from tournaments.matches.queue import Place, channel_version, place_in_queue
from tournaments.matches.reasons import of_match
from tournaments.matches.seeds import seed_of_deals
from tournaments.models import Match, ResultReport, Seat, Tournament

M = Match.State
OVER = (M.CONFIRMED, M.VOID)


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match with what stands around it. place: in the queue, while it waits. version: of its live channel.

    siblings: the other legs of the same deal set.
    """

    match: Match
    seats: Sequence[Seat]
    report: ResultReport | None
    place: Place | None
    version: int
    siblings: Sequence[Match]

    @property
    def is_over(self) -> bool:
        """Whether nothing will change any more."""
        return self.match.state in OVER

    @property
    def channels(self) -> str:
        """The channel to follow with the version this page shows; empty once nothing changes any more."""
        return "" if self.is_over else f"{self.match.channel}@{self.version}"

    @property
    def names(self) -> list[str]:
        """What each seat is called on this page, in seat order."""
        if self.match.stage.format.is_experiment:  # both may be one bot's
            return [str(seat.bot_version) for seat in self.seats]
        return [seat_name(seat) for seat in self.seats]

    @property
    def why(self) -> str:
        """Why it was drawn so, in the reader's language."""
        return of_match(self.match)

    @property
    def bots(self) -> list[str | None]:
        """`bot@version` per seat; None where no bot sits."""
        return [str(seat.bot_version) if seat.bot_version else None for seat in self.seats]


def seat_name(seat: Seat) -> str:
    """The entry's name, or the player's; a place that is not decided yet is named by its number."""
    if seat.entry is not None:
        return (seat.player or seat.entry.player).name
    return seat.player.name if seat.player is not None else str(seat)


def match_page(uuid: UUID, viewer: User | None, *, is_guest: bool = False) -> MatchPage:
    """The page of a match; nine queries at most. Raises Match.DoesNotExist when the viewer may not know of it.

    is_guest: as `events.event_page` has it.
    """
    version = channel_version(Match(uuid=uuid).channel)  # read first: what happens meanwhile is told again
    reports = ResultReport.objects.filter(state=ResultReport.State.CONFIRMED).select_related("record")
    shown = ("stage__tournament", "stage__ruleset", "round", "deal_set", "lease__worker")
    seen = (
        ~Q(stage__tournament__state=Tournament.State.DRAFT) if is_guest else visible_to(viewer, "stage__tournament__")
    )
    rows = Match.objects.filter(seen).annotate(is_ruled=ruled()).select_related(*shown)
    match = rows.prefetch_related(_seats(), Prefetch("reports", reports, to_attr="counted")).get(uuid=uuid)
    counted: list[ResultReport] = getattr(match, "counted", [])
    return MatchPage(
        match=match,
        seats=list(match.seats.all()),
        report=counted[0] if counted else None,
        place=place_in_queue(match),
        version=version,
        siblings=_siblings(match),
    )


def _seats() -> Prefetch[str, QuerySet[Seat], str]:
    """Seats with their players and bots, in one query."""
    rows = Seat.objects.select_related("entry__player", "player", "bot_version__bot").defer("log_marks")
    return Prefetch("seats", rows.order_by("index"))


def _siblings(match: Match) -> list[Match]:
    if match.deal_set_id is None:
        return []
    return list(Match.objects.filter(deal_set=match.deal_set_id).exclude(pk=match.pk).order_by("leg"))


def revealed_seed(match: Match) -> str | None:
    """The seed of the deal set as hex once all its legs are done; None before that."""
    deal_set, stage = match.deal_set, match.stage
    if deal_set is None or deal_set.revealed_at is None or not stage.secret:
        return None
    uuid = original(deal_set.uuid, stage.tournament.policies)
    return seed_of_deals(stage, deal_set, uuid).hex()


def served_document(page: MatchPage) -> dict[str, Any] | None:
    """The record document with today's names, the bots and, once revealed, the seed; None before it is finished."""
    report = page.report
    if page.match.state != M.CONFIRMED or report is None or report.record is None:
        return None
    document: dict[str, Any] = json.loads(report.record.data())
    document["view"] |= {"names": page.names, "bots": page.bots, "seed": revealed_seed(page.match)}
    return document
