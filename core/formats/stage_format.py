"""The contract of a stage format: it describes itself, so that nothing outside its module asks for its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from random import Random
from typing import ClassVar

from core.formats.model import Plan, Shape, StageSoFar
from core.formats.sizes import split
from engine.words import Counted, ngettext


class TeamSeating(StrEnum):
    """Seating of teams whose members sit apart (`formats.boards`)."""

    NONE = "none"  # it takes no such teams
    MEETINGS = "meetings"  # it pairs teams: a pod of teams is as many tables as they have boards
    BOARDS = "boards"  # it seats every board for itself, at tables of three or more


class Format(ABC):
    """One stage format. Pure: the same arguments and the same state of `rng` give the same plans.

    What is not said here is said by the class attributes below; a new format overrides those that differ.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    """English msgid: what refusals call it."""
    label: ClassVar[str]
    """English msgid: what pages and forms call it, in lower case."""
    choice: ClassVar[str] = ""
    """English msgid: what the form of a new event calls it, where that is not the label."""
    description: ClassVar[str]
    """English msgid, a sentence."""
    seat_range: ClassVar[tuple[int, int]] = (2, 7)
    """Fewest and most sides at a table."""
    usual_sides: ClassVar[range] = range(0)
    """At how many sides a table an event is of this format unless another one was chosen."""

    needs_results: ClassVar[bool] = False
    """Whether a round can be drawn only once the one before has been played."""
    is_bracket: ClassVar[bool] = False
    """Whether it has a `bracket` (see `elimination.stage`)."""
    ranks_by_bracket: ClassVar[bool] = False
    """Whether who went out when ranks before every total; then `places` says so."""
    ranks_by_rating: ClassVar[bool] = False
    """Whether ratings rank, with every match; it has no totals and nobody meets everybody."""
    is_open_ended: ClassVar[bool] = False
    """Whether it has no rounds: matches are drawn a few at a time, as results come in."""
    is_experiment: ClassVar[bool] = False
    """Whether it answers somebody's question: nobody chooses it for an event, no list names it, it rates nobody."""
    stands_alone: ClassVar[bool] = False
    """Whether its one match is all there is of its event: it has no standings, and its page is that of the match."""
    takes_late_entries: ClassVar[bool] = False
    """Whether somebody new may join while it runs."""
    honours_clubs: ClassVar[bool] = False
    """Whether its draw takes wishes about who is kept apart."""
    changes_partners: ClassVar[bool] = False
    """Whether people share a side with another partner in every round, and everybody is ranked alone."""
    meets_everybody: ClassVar[bool] = False
    """Whether everybody meets everybody; `Shape.rounds` are cycles."""
    seats_leaders_together: ClassVar[bool] = False
    """Whether it seats the leaders at one table in the last round unless the organiser has it otherwise."""
    takes_draw_rules: ClassVar[bool] = False
    """Whether an organiser may order what its draw keeps, and more (`DrawRules`); it then seats pairs together, too."""
    takes_forbidden_pairs: ClassVar[bool] = False
    """Whether its draw keeps forbidden pairs apart, in all rounds or in the first ones."""
    has_third_place: ClassVar[bool] = False
    """Whether, at two sides, it can have a match for third place and a consolation bracket (`Shape`)."""
    counts_unplayed_as_fide: ClassVar[bool] = False
    """Whether rounds without play count in opponents' scores as FIDE has it; elsewhere they are left out."""
    fits_fide_report: ClassVar[bool] = False
    """Whether a FIDE tournament report can tell its rounds."""
    teams: ClassVar[TeamSeating] = TeamSeating.NONE
    rehearsed_as: ClassVar[tuple[str, int] | None] = None
    """(another format, entries): in larger fields a rehearsal draws by that one, which is quicker."""

    @property
    def is_round_by_round(self) -> bool:
        """Return whether each round is drawn when the one before is over, and it is known how many there are."""
        return self.needs_results and not self.ranks_by_bracket

    @property
    def is_always_open(self) -> bool:
        """Return whether entries come and go for as long as it runs."""
        return self.is_open_ended and self.takes_late_entries

    @abstractmethod
    def rounds(self, entries: int, shape: Shape) -> int:
        """Return how many rounds the stage has."""

    @abstractmethod
    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """Plans of the rounds after `history` that can be drawn now: all of them, or the next if it needs results."""

    def ahead(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """Return all rounds as they can be planned now, if nobody comes or goes."""
        return self.schedule(stage, rng)

    def estimate(self, entries: int, shape: Shape) -> int:
        """Estimate how many tables such a stage comes to, legs not counted. `shape.seats.pref`: sides at a table."""
        return shape.rounds * -(-entries // shape.seats.pref)

    def tables_by_round(self, entries: int, shape: Shape) -> tuple[int, ...]:
        """Return how many tables each round has if everybody stays; legs not counted. Nothing is drawn for it."""
        return (len(split(entries, shape.seats)[0]),) * self.rounds(entries, shape)

    def sentence(self, shape: Shape) -> Counted | str:
        """Return how the stage goes, in the middle of a sentence; may name %(n)d rounds and %(advance)d."""
        return ngettext(
            "%(n)d round that mixes everybody evenly", "%(n)d rounds that mix everybody evenly", shape.rounds
        )

    def places(self, stage: StageSoFar, rng: Random) -> Mapping[str, int]:
        """The best place each entry can still have, best first; empty unless it `ranks_by_bracket`."""
        return {}
