"""Keys in order, in blocks: adding, removing and looking around cost a search and one short block."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator

Key = tuple[float, str]
# Inserting into a list moves its tail: blocks keep that short, and their tops are few enough to be searched.
MAXIMUM = 512


class Ranked:
    """A sorted collection of distinct keys."""

    def __init__(self) -> None:
        self._blocks: list[list[Key]] = []
        self._tops: list[Key] = []  # the last key of each block

    def add(self, key: Key) -> None:
        """Put a key in its place."""
        if not self._blocks:
            self._blocks, self._tops = [[key]], [key]
            return
        at = min(bisect_left(self._tops, key), len(self._blocks) - 1)
        block = self._blocks[at]
        insort(block, key)
        # Split in the middle: both halves can take as many again before the next split.
        if len(block) > MAXIMUM:
            half = len(block) // 2
            self._blocks[at : at + 1] = [block[:half], block[half:]]
            self._tops[at : at + 1] = [block[half - 1], block[-1]]
        else:
            self._tops[at] = block[-1]

    def remove(self, key: Key) -> None:
        """Take a key out. Raises KeyError if it is not there."""
        at = bisect_left(self._tops, key)
        place = bisect_left(self._blocks[at], key) if at < len(self._blocks) else 0
        if at >= len(self._blocks) or self._blocks[at][place] != key:
            raise KeyError(key)
        block = self._blocks[at]
        del block[place]
        if block:
            self._tops[at] = block[-1]
        else:
            del self._blocks[at]
            del self._tops[at]

    def around(self, key: Key) -> Iterator[Key]:
        """Yield the other keys, nearest number first; of equally near ones the smaller."""
        up, down = self._up(key), self._down(key)
        above, below = next(up, None), next(down, None)
        while above is not None or below is not None:
            if above is None or (below is not None and key[0] - below[0] <= above[0] - key[0]):
                assert below is not None
                yield below
                below = next(down, None)
            else:
                yield above
                above = next(up, None)

    def _up(self, key: Key) -> Iterator[Key]:
        start = bisect_left(self._tops, key)
        for at in range(start, len(self._blocks)):
            block = self._blocks[at]
            first = bisect_left(block, key) if at == start else 0
            for place in range(first, len(block)):
                if block[place] != key:
                    yield block[place]

    def _down(self, key: Key) -> Iterator[Key]:
        start = min(bisect_left(self._tops, key), len(self._blocks) - 1)
        for at in range(start, -1, -1):
            block = self._blocks[at]
            last = bisect_left(block, key) if at == start else len(block)
            for place in range(last - 1, -1, -1):
                yield block[place]
