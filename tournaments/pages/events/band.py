"""The band at the head of an event that is on: its round, and who leads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots.templatetags.hanami import amount
from tournaments.lifecycle.visibility import EventPage, rounds_of
from tournaments.models import Match, Standing
from tournaments.people.event_lists import IN_HAND
from tournaments.ranking.figures import figure_words
from tournaments.standings.queries import RATING, firsts_of

FINALISTS: Final = 2
SEATS: Final = 2
"""At tables of two one of two goes on: what its rounds are called is known."""
MAX_PARTS: Final = 12
"""Rounds that a bar shows one by one."""


@dataclass(frozen=True, slots=True)
class Band:
    """round: the one that is on, of `rounds`; 0 where a stage has none to count. lead: who is ahead, "" for nobody.

    more: how many share the first rank besides those shown. done, total: matches of the rounds that are drawn.
    name: of the round of a knock-out that is on, "" where none has a name.
    """

    round: int
    rounds: int
    lead: str
    more: int
    done: int = 0
    total: int = 0
    name: str = ""

    @property
    def parts(self) -> list[int]:
        """How far each round is, in percent, for a bar of as many parts; none where there are too many to see.

        A round is drawn once those before it are complete, and all are taken to be as large as they are on average.
        """
        if not 1 < self.rounds <= MAX_PARTS or not self.total:
            return []
        each = self.total / self.round
        return [round(100 * min(1.0, max(0.0, self.done / each - n))) for n in range(self.rounds)]


def band_of(page: EventPage, top: Sequence[Standing], lines: Sequence[Match]) -> Band | None:
    """Return the band; None before the event begins and once it is over.

    top: the first of the standings, none while nothing counts; lines: the matches shown.
    """
    if page.event.state not in IN_HAND or not page.progress.total:
        return None
    n = _firsts(page, top)
    left = _still_in(page, top)
    lead = _champion(page, top) or lead_of(page, top, n) or (" – ".join(left) if len(left) == FINALISTS else "")
    is_drawn_in_turn = page.stage.format.is_round_by_round
    finished = (page.progress.done, page.progress.total) if is_drawn_in_turn else (0, 0)
    return Band(*_round(page, lines), lead, max(0, n - len(top)), *finished, name=_name(len(left)))


def _round(page: EventPage, lines: Sequence[Match]) -> tuple[int, int]:
    drawn, kind = rounds_of(page.stage), page.stage.format
    if kind.ranks_by_bracket or kind.is_open_ended or not drawn:
        return 0, 0
    if kind.is_round_by_round:
        return drawn, max(drawn, page.stage.rounds_planned)
    # All its rounds are drawn at once: the furthest that is played is the one that is on.
    return max((match.round.number for match in lines if match.round), default=1), drawn


def _still_in(page: EventPage, top: Sequence[Standing]) -> list[str]:
    """Return who is still in a knock-out, as far as they are shown; nobody while it has another stage or groups."""
    # In a second bracket, for those who lost once, several have the first place whose round has another name.
    is_plain = page.stage.format.has_third_place and page.stage.groups_n == 1 and page.stage.seats_pref == SEATS
    if not is_plain:
        return []
    return [row.entry.player.name for row in top if row.key[:1] == ["1"]]


def _name(left: int) -> str:
    """Return the name of the round in which `left` are left, as far as it has one."""
    if left == FINALISTS:
        return _("Final")
    return _("Semi-finals") if FINALISTS < left <= 2 * FINALISTS else ""


def _champion(page: EventPage, top: Sequence[Standing]) -> str:
    """Return who won a bracket that nobody has confirmed yet; "" while more than one is still in it."""
    # All who are still in have the first place in the bracket, also where points tell their ranks apart.
    firsts = [row for row in top if row.key[:1] == ["1"]]
    if page.progress.done < page.progress.total:
        return ""  # who has won alone so far waits for somebody who still plays
    if not page.stage.format.ranks_by_bracket or page.stage.groups_n > 1 or page.to_come.stages or len(firsts) != 1:
        return ""
    return _("Champion: %(name)s") % {"name": firsts[0].entry.player.name}


def _firsts(page: EventPage, top: Sequence[Standing]) -> int:
    """Return how many are first, 0 where nobody leads. One query where more than are shown may be."""
    if page.stage.groups_n > 1 or page.stage.format.ranks_by_bracket:
        return 0
    firsts = sum(row.rank == 1 for row in top)
    return firsts_of(page.stage) if firsts == len(top) > 1 else firsts


def lead_of(page: EventPage, top: Sequence[Standing], n: int) -> str:
    """Return who is first, or that `n` share it."""
    firsts = [row for row in top if row.rank == 1]
    if not n:
        return ""
    names = [row.entry.player.name for row in firsts]
    shown = {"figure": figure_of(page, firsts[0]), "n": n, "one": names[0], "other": names[-1]}
    if n == 1 and page.stage.format.is_always_open and hasattr(page.stage, "ladder_season"):
        # The leaderboard has another number for the same bot: that one counts every month.
        return _("%(one)s leads this month with %(figure)s") % shown
    if n == 1:
        return _("%(one)s leads with %(figure)s") % shown
    if n == 2:
        return _("%(one)s and %(other)s share first with %(figure)s") % shown
    return ngettext("%(n)d shares first with %(figure)s", "%(n)d share first with %(figure)s", n) % shown


def figure_of(page: EventPage, row: Standing) -> str:
    """Return the figure that ranks, as the table beside it shows it."""
    return figure_words(RATING, row.key[0]) if page.stage.format.ranks_by_rating else amount(row.key[0])
