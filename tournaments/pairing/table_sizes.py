"""Sizes of the tables of a stage: what the game and the format allow, what they come to, and the choice of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from core.formats.model import Seats
from core.formats.sizes import split
from engine.errors import EngineError
from engine.game import game_of
from tournaments.lifecycle.values import bad_number
from tournaments.matches.deal_sets import rules_of
from tournaments.models import Match, Stage
from tournaments.pairing.constraints_actions import locked_for_draws, record_change
from tournaments.undo.recorder import undoable


@dataclass(frozen=True, slots=True)
class Layout:
    """Tables for a number of entries, with the sizes that give them. tables: size -> how many, the largest first."""

    smallest: int
    largest: int
    tables: tuple[tuple[int, int], ...]
    byes: int

    @property
    def text(self) -> str:
        """The tables as organisers write them: "5+5+4+4+4"; "12×4 + 2×3" where that would be long."""
        if sum(count for _size, count in self.tables) <= 6:
            return "+".join(str(size) for size, count in self.tables for _each in range(count))
        return " + ".join(f"{count}×{size}" for size, count in self.tables)


def playable_sizes(stage: Stage) -> tuple[int, ...]:
    """Return the sizes that tables of a stage may have; only its own where a side takes several seats."""
    rules, found = rules_of(stage), stage.format
    sides = rules.sides(stage.seats_pref)
    if len(set(sides)) < len(sides) or found.is_open_ended or stage.tournament.boards:
        return (stage.seats_pref,)
    lows, highs = zip(found.seat_range, game_of(rules.game).seat_range, strict=True)
    sizes = []
    for size in range(max(lows), min(highs) + 1):
        try:
            rules.sides(size)
        except EngineError:  # a game may play with four and six, and not with five
            continue
        sizes.append(size)
    return tuple(sizes)


def ranges_of(stage: Stage) -> tuple[tuple[int, int], ...]:
    """Return the (smallest, largest) sizes that can be chosen around the stage's own, all sizes between playable."""
    sizes = set(playable_sizes(stage))
    low = high = stage.seats_pref
    while low - 1 in sizes:
        low -= 1
    while high + 1 in sizes:
        high += 1
    return tuple(
        (small, large) for small in range(stage.seats_pref, low - 1, -1) for large in range(stage.seats_pref, high + 1)
    )


def layout_of(entries: int, seats: Seats) -> Layout:
    """Return the tables that this number of entries would have."""
    sizes, byes = split(entries, seats)
    return Layout(seats.min, seats.max, tuple(sorted(Counter(sizes).items(), reverse=True)), byes)


def layouts_of(stage: Stage, entries: int) -> list[Layout]:
    """Return every choice of sizes with what it comes to for this number of entries."""
    return [layout_of(entries, Seats(small, stage.seats_pref, large)) for small, large in ranges_of(stage)]


def may_choose(stage: Stage) -> bool:
    """Return whether tables that are not drawn yet may have other sizes: schedules are drawn as a whole."""
    if stage.state == Stage.State.PLANNED:
        return len(ranges_of(stage)) > 1
    return stage.state == Stage.State.ACTIVE and stage.format.is_round_by_round and len(ranges_of(stage)) > 1


def sizes_in_use(stage: Stage) -> Sequence[int]:
    """Return the sizes of the tables that were drawn, smallest first; before that those it may have. One query."""
    rows = Match.objects.filter(stage=stage).exclude(state=Match.State.VOID)
    drawn = sorted(set(rows.order_by().values_list("seats_n", flat=True).distinct()))
    return drawn or range(stage.seats_min, stage.seats_max + 1)


@undoable("table_sizes")
def choose_table_sizes(*, stage: Stage, by: User, smallest: int, largest: int) -> None:
    """Choose between which sizes the tables of a stage may be, from the next draw on; the preferred size stays.

    Doing it twice changes nothing. Raises TournamentError "tournament.not_organiser", "wishes.over", "sizes.drawn",
    "tournament.bad_table_sizes".
    """
    with transaction.atomic():
        event = locked_for_draws(stage.tournament, by)
        stage.refresh_from_db()
        allowed = ranges_of(stage)
        if (smallest, largest) not in allowed:
            low, high = min(small for small, _large in allowed), max(large for _small, large in allowed)
            shown = f"{smallest} – {stage.seats_pref} – {largest}"
            raise bad_number("table_sizes", shown, low, high)
        if (stage.seats_min, stage.seats_max) == (smallest, largest):
            return
        if not may_choose(stage):
            message = _("The tables of this stage are already drawn, so you cannot change their sizes.")
            raise TournamentError(message, code="sizes.drawn", extra={"state": stage.state})
        stage.seats_min, stage.seats_max = smallest, largest
        stage.save(update_fields=["seats_min", "seats_max"])
        record_change(event, by, "sizes", {"stage": stage.order, "smallest": smallest, "largest": largest})
