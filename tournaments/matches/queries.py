"""Matches as pages show them: one with seats, result, record and seed; and all, the newest drawn first.

The list goes on from a match, not from a number, so the thousandth page costs what the first does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from accounts.models import User
from bots.models import Bot
from core.formats import experiments
from core.interchange.documents.copies import other
from engine import record_fair
from tournaments.lifecycle.visibility import named_to, visible_to
from tournaments.matches.deal_sets import seed_of_deals
from tournaments.matches.queue import Place, channel_version, place_in_queue, waiting
from tournaments.matches.reasons import of_match
from tournaments.matches.records.confirmed import ruled
from tournaments.matches.schedule import seats_named
from tournaments.models import Match, ResultReport, Seat, Stage, Tournament

M = Match.State
OVER = (M.CONFIRMED, M.VOID)


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match with what a page shows around it. place: in the queue, while it waits. version: of its live channel.

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
        """True if nothing will change any more."""
        return self.match.state in OVER

    @property
    def channels(self) -> str:
        """The channel to follow with the version this page shows; empty after the last change."""
        return "" if self.is_over else f"{self.match.channel}@{self.version}"

    @property
    def names(self) -> list[str]:
        """The name of each seat on this page, in seat order."""
        stage_format = self.match.stage.format
        if stage_format.is_experiment and not stage_format.stands_alone:  # both may be one bot's
            return [str(seat.bot_version) for seat in self.seats]
        return [seat_name(seat) for seat in self.seats]

    @property
    def why(self) -> str:
        """The planner's reason for this table, in the reader's language."""
        return of_match(self.match)

    @property
    def bots(self) -> list[str | None]:
        """`bot@version` per seat; None where no bot sits."""
        return [str(seat.bot_version) if seat.bot_version else None for seat in self.seats]


def seat_name(seat: Seat) -> str:
    """Return the entry's name, or the player's; a place that is not decided yet is named by its number."""
    if seat.entry is not None:
        return (seat.player or seat.entry.player).name
    return seat.player.name if seat.player is not None else str(seat)


def match_page(uuid: UUID, viewer: User | None, *, is_guest: bool = False) -> MatchPage:
    """Read the page of a match; nine queries at most. Raises Match.DoesNotExist when the viewer may not know of it.

    is_guest: as in `lifecycle.visibility.event_page`.
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
    """Prefetch seats with their players and bots, in one query."""
    rows = Seat.objects.select_related("entry__player", "player", "bot_version__bot").defer("log_marks")
    return Prefetch("seats", rows.order_by("index"))


def _siblings(match: Match) -> list[Match]:
    if match.deal_set_id is None:
        return []
    return list(Match.objects.filter(deal_set=match.deal_set_id).exclude(pk=match.pk).order_by("leg"))


def revealed_seed(match: Match) -> str | None:
    """Return the seed of the deal set as hex once all its legs are done; None before that."""
    deal_set, stage = match.deal_set, match.stage
    if deal_set is None or deal_set.revealed_at is None or not stage.secret:
        return None
    # A copy's uuids are masked: the seed was made from the original one.
    uuid = other(deal_set.uuid, stage.tournament.copy_mask)
    return seed_of_deals(stage, deal_set, uuid).hex()


def served_document(page: MatchPage) -> dict[str, Any] | None:
    """Return the record document with today's names, the bots and, once revealed, the seed; None until it is over."""
    report = page.report
    if page.match.state != M.CONFIRMED or report is None or report.record is None:
        return None
    # What is hashed is `record`; `view` beside it may be filled in, and names change when an account is renamed or
    # erased.
    document: dict[str, Any] = json.loads(report.record.data())
    seed = revealed_seed(page.match) or _seed_of_table(document)
    document["view"] |= {"names": page.names, "bots": page.bots, "seed": seed}
    return document


def _seed_of_table(document: Mapping[str, Any]) -> str | None:
    """Return the seed of a match that people have played on this site: its record has all that it was made from."""
    seed = record_fair.revealed_seed(document["record"]["fair"])
    return seed.hex() if seed is not None else None


def known_seed(page: MatchPage, document: Mapping[str, Any] | None) -> str | None:
    """Return the seed as hex, as far as it is public. document: as it is served."""
    seed: str | None = document["view"]["seed"] if document is not None else revealed_seed(page.match)
    return seed


def commitment_of(page: MatchPage) -> str:
    """Return what was committed to before the deal: of the deal set, else of the table; "" of cards of paper."""
    if page.match.deal_set is not None:
        return page.match.deal_set.commit
    document = served_document(page)
    return str(document["record"]["fair"]["commit"]) if document is not None else ""


STATES: Final[dict[str, tuple[str, ...]]] = {
    "over": (M.CONFIRMED,),
    "on": (M.CLAIMED, M.CALLED, M.PLAYING, M.REPORTED, M.DISPUTED),
    "waiting": (M.PENDING, M.READY, M.QUEUED),
    "held": (M.QUARANTINED,),
}
BATCH_SIZE: Final = 30
Order = tuple[str, ...]
"""Fields by which a list goes, the key last, as `order_by` takes them: all forwards, or all backwards with a "-"."""
ORDERS: Final[dict[str, Order]] = {"over": ("-finished_at", "-pk"), "waiting": ("priority", "pk")}
"""By state; all others go by `DRAWN`. What waits stands as workers take it."""
DRAWN: Final[Order] = ("-pk",)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Filters of the list. state: of `STATES`, "" for all; event, bot: addresses; preset: its id."""

    event: str = ""
    preset: str = ""
    bot: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class MatchList:
    """A page of matches. older, newer: the matches to go on from; None where nothing follows."""

    rows: Sequence[Match]
    older: UUID | None = None
    newer: UUID | None = None


def match_list(
    viewer: User | None,
    wanted: Wanted,
    *,
    before: UUID | None = None,
    after: UUID | None = None,
    first: int | None = None,
) -> MatchList:
    """Return the matches a viewer may know of, without those of comparisons, beside a match. Three queries at most.
    `read_lines` then reads what their lines show. first: the number of matches, a page of them by default; not with
    `after`.

    Those that are over by the time at which they ended, the newest first, what waits as on the page of the queue, all
    others as they were drawn, the newest first. older: what follows.
    """
    rows = _wanted(viewer, wanted)
    order = ORDERS.get(wanted.state, DRAWN)
    if after is not None and before is None:
        return _newer(rows, order, _place_of(viewer, after, order))
    beside = _place_of(viewer, before, order)
    if beside is not None:
        rows = rows.filter(_beyond(order, beside))
    # One more than is shown says whether there is another page, without a count.
    size = first or BATCH_SIZE
    found = list(rows.order_by(*order)[: size + 1])
    shown = found[:size]
    older = shown[-1].uuid if len(found) > size else None
    return MatchList(shown, older=older, newer=shown[0].uuid if shown and beside is not None else None)


def read_lines(matches: Sequence[Match]) -> None:
    """Read the events and seats of matches, as lines of lists show them. Three queries, for several lists at once."""
    # Not joined: thirty matches are of few stages, whose rows are a hundred columns wide.
    prefetch_related_objects(matches, "stage__tournament", seats_named())


def _newer(rows: QuerySet[Match], order: Order, beside: tuple[Any, ...] | None) -> MatchList:
    # Read upwards from the match, or LIMIT would take the newest of all; turned round to be shown.
    back = tuple(name.removeprefix("-") if name.startswith("-") else f"-{name}" for name in order)
    rows = rows.filter(_beyond(back, beside)) if beside is not None else rows
    found = list(rows.order_by(*back)[: BATCH_SIZE + 1])
    shown = found[:BATCH_SIZE][::-1]
    newer = shown[0].uuid if len(found) > BATCH_SIZE else None
    return MatchList(shown, older=shown[-1].uuid if shown else None, newer=newer)


def _place_of(viewer: User | None, uuid: UUID | None, order: Order) -> tuple[Any, ...] | None:
    """Return where a match stands; None for one that the viewer may not know of, or that has no place yet."""
    if uuid is None:
        return None
    # The key never leaves the server: the address names the uuid, whose key is the place to go on from.
    seen = Match.objects.filter(named_to(viewer, "stage__tournament__"), uuid=uuid)
    place = seen.values_list(*_names(order)).first()
    return None if place is None or None in place else place


def _names(order: Order) -> list[str]:
    return [name.removeprefix("-") for name in order]


def _beyond(order: Order, place: tuple[Any, ...]) -> Q:
    """Return what comes after a place in this order."""
    way, first = "lt" if order[0].startswith("-") else "gt", _names(order)[0]
    by_key = Q(**{f"pk__{way}": place[-1]})
    if len(order) == 1:
        return by_key
    # The first condition is what an index is searched by.
    return Q(**{f"{first}__{way}e": place[0]}) & (Q(**{f"{first}__{way}": place[0]}) | by_key)


def _wanted(viewer: User | None, wanted: Wanted) -> QuerySet[Match]:
    # Of everything that waits only what a worker can take next: an index holds it in this order.
    rows = waiting() if wanted.state == "waiting" and not wanted.event else Match.objects.all()
    rows = rows.filter(named_to(viewer, "stage__tournament__")).exclude(stage__kind__in=experiments())
    if wanted.event:
        # Its stages by name: of one event's matches, those of all others are never looked at.
        rows = rows.filter(
            stage__in=list(Stage.objects.filter(tournament__slug=wanted.event).values_list("pk", flat=True))
        )
    if wanted.preset:
        rows = rows.filter(stage__preset=wanted.preset)
    if wanted.bot:
        # EXISTS: a bot that sits twice at a table would give the match twice.
        seats = Seat.objects.filter(match=OuterRef("pk"), bot_version__bot__slug=wanted.bot)
        rows = rows.filter(Exists(seats))
    if wanted.state:
        rows = rows.filter(state__in=STATES[wanted.state])
    return rows


def names_of(viewer: User | None, wanted: Wanted) -> tuple[str, str]:
    """Return the names of the event and the bot of a filter; "" for what is not there or hidden from the viewer."""
    event = Tournament.objects.filter(named_to(viewer), slug=wanted.event) if wanted.event else None
    bot = Bot.objects.filter(slug=wanted.bot) if wanted.bot else None
    named = [rows.values_list("name", flat=True).first() if rows is not None else "" for rows in (event, bot)]
    return named[0] or "", named[1] or ""
