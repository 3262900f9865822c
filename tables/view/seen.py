"""A match through the eyes of one reader: made once for everything that a page or a view shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.replay.document import Deal, Replay
from core.replay.reducer import Place
from core.replay.words import Phrasebook, deal_text
from engine.match import Match
from tables.play.fold import Fold
from tables.view.masks import Eyes, eyes_of
from tables.view.telling import replay_of, told


@dataclass(slots=True)
class Seen:
    """What one reader sees. told: per deal, the moves they are told of; book: the words in their language."""

    fold: Fold
    replay: Replay
    eyes: Eyes
    told: list[int]
    book: Phrasebook
    _said: dict[int, list[str]] = field(default_factory=dict)

    @property
    def match(self) -> Match:
        """Return the match that is seen."""
        return self.fold.match

    @property
    def place(self) -> Place:
        """Return where the match is now."""
        return Place(len(self.replay.deals), len(self.replay.deals[-1].moves))

    def said(self, deal: Deal) -> list[str]:
        """Return a deal in words, as `deal_text` has them: [0] as it was dealt, [m] move m."""
        # Kept: the news, the last moves and the beginning of a deal are told from the same sentences.
        if deal.number not in self._said:
            self._said[deal.number] = deal_text(self.replay, self.book, deal)
        return self._said[deal.number]


def seen_by(fold: Fold, seat: int, names: Sequence[str], book: Phrasebook, *, match_id: str, preset: str) -> Seen:
    """Return what a seat sees of a match now (NOBODY: those who watch). It is not kept up to date."""
    match = fold.match
    replay = replay_of(match, seat, names, match_id=match_id, preset=preset)
    return Seen(fold, replay, eyes_of(match, seat), told(match, seat), book)
