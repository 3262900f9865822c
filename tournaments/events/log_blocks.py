"""The log as its page shows it: rounds under a heading each, and lines that say the same thing as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import groupby
from typing import Final

from django.utils.translation import ngettext

from accounts.phrasing import listed
from tournaments.domain_events.entries import BotEntered
from tournaments.domain_events.stages import RoundBegun, RoundCompleted, RoundLocked, RoundPublished
from tournaments.events.log import FeedLine
from tournaments.models import Round

STEPS: Final = frozenset(each.topic for each in (RoundPublished, RoundBegun, RoundCompleted, RoundLocked))
"""Acts by which a round goes on: the service's own are told beside its heading."""


@dataclass(frozen=True, slots=True)
class Step:
    """What became of a round, and when: "locked"."""

    words: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FeedBlock:
    """Lines that stand together: those of one round on one day, or acts on the event between them.

    at: of the newest of them. steps: of the round, as the service took them, the first one first.
    """

    day: date
    at: datetime
    round: int = 0
    lines: list[FeedLine] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def take(self, line: FeedLine) -> None:
        """Add a line, which is older than those before it."""
        if line.act.verb in STEPS and not line.who:
            state = str(line.act.after.get("state", ""))
            words = dict(Round.State.choices).get(state, state)
            self.steps.insert(0, Step(str(words), line.act.at))
        else:
            self.lines.append(line)


def blocks_of(lines: Sequence[FeedLine]) -> list[FeedBlock]:
    """Put the lines of a day together by round, each where its newest act stands: rounds overlap while they are
    played.
    """
    blocks: list[FeedBlock] = []
    known: dict[tuple[date, str], FeedBlock] = {}
    for line in _folded(lines):
        last = blocks[-1] if blocks else None
        if line.of_round:
            block = known.get((line.day, line.of_round))
        else:
            block = last if last is not None and not last.round and last.day == line.day else None
        if block is None:
            blocks.append(block := FeedBlock(line.day, line.act.at, line.round))
            known[line.day, line.of_round] = block
        block.take(line)
    return blocks


def _folded(lines: Sequence[FeedLine]) -> list[FeedLine]:
    """Write bots that one person entered one after the other in a day as one line."""
    found: list[FeedLine] = []
    for (_day, who, is_entry), own in groupby(lines, key=lambda line: (line.day, line.who, _names_a_bot(line))):
        run = list(own)
        if is_entry and who and len(run) > 1:
            words = ngettext("entered %(n)s bot", "entered %(n)s bots", len(run)) % {"n": len(run)}
            run = [replace(run[0], what=words, here=listed(line.here for line in reversed(run)))]
        found += run
    return found


def _names_a_bot(line: FeedLine) -> bool:
    return line.act.verb == BotEntered.topic and bool(line.here)
