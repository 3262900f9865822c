"""A match through the eyes of one reader: made once for everything that a page or a view shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.replay.document import Deal, Replay
from core.replay.reducer import Place, Position, position_at
from core.replay.score import Ending, ending_at
from core.replay.words import Narration, Phrasebook
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
    _said: dict[int, Narration] = field(default_factory=dict)
    _endings: dict[int, Ending | None] = field(default_factory=dict)
    _position: Position | None = None

    @property
    def match(self) -> Match:
        """Return the match that is seen."""
        return self.fold.match

    @property
    def place(self) -> Place:
        """Return where the match is now."""
        return Place(len(self.replay.deals), len(self.replay.deals[-1].moves))

    @property
    def position(self) -> Position:
        """Return where the cards lie now; nobody changes it."""
        if self._position is None:
            self._position = position_at(self.replay, self.replay.deals[-1], self.place.move)
        return self._position

    def said(self, deal: Deal, move: int) -> str:
        """Return a move of a deal in words, as `deal_text` has them: 0 as it was dealt."""
        # Kept: the news, the last moves and the beginning of a deal are told from the same sentences.
        if deal.number not in self._said:
            self._said[deal.number] = Narration(self.replay, self.book, deal)
        return self._said[deal.number].at(move)

    def ending(self, deal: Deal) -> Ending | None:
        """Return how a deal ended; None while it is played."""
        if deal.number not in self._endings:
            self._endings[deal.number] = self._ending(deal) if deal.score else None
        return self._endings[deal.number]

    def _ending(self, deal: Deal) -> Ending | None:
        last = Place(deal.number, len(deal.moves))
        is_now = deal is self.replay.deals[-1]
        position = self.position if is_now else position_at(self.replay, deal, last.move)
        return ending_at(self.replay, last, position, self.book)


def seen_by(fold: Fold, seat: int, names: Sequence[str], book: Phrasebook, *, match_id: str, preset: str) -> Seen:
    """Return what a seat sees of a match now (NOBODY: those who watch). It is not kept up to date."""
    match = fold.match
    replay = replay_of(match, seat, names, match_id=match_id, preset=preset)
    return Seen(fold, replay, eyes_of(match, seat), told(match, seat), book)
