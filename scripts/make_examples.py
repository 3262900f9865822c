#!/usr/bin/env python3
"""Look for a game in which each rule shows, and write where it is; the same engine gives the same file everywhere.

python scripts/make_examples.py            write core/rulebook/examples.json
python scripts/make_examples.py --check    exit 1 if an example does not show its rule, or one is missing
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.rulebook.model import FILE, Example, example_of
from core.rulebook.walk import opened
from scripts.examples.scene import Scene, scenes
from scripts.examples.topics import Topic, topics

MAX_GAMES: Final = 6_000
EARLY: Final = 10
"""A moment so early in its deal is taken at once."""
CANDIDATES: Final = 6
"""Of that many games that have it only later the one that has it first is taken."""
FULL_SEARCH: Final = 10_000
"""Deals of a game that is looked at to its end."""

Table = tuple[str, int, str, bool]


def span_of(topic: Topic, scene: Scene) -> int:
    """Return how many moves the moment takes; none for a dealing."""
    return min(topic.span, scene.move)


class Search:
    """Looks for the topics of one table in game after game."""

    def __init__(self, wanted: Iterable[Topic]) -> None:
        self.wanted = {topic.id: topic for topic in wanted}
        self.best: dict[str, Example] = {}
        self.seen: dict[str, int] = defaultdict(int)

    def run(self, table: Table) -> None:
        """Look through games until every topic has its moment."""
        preset, seats, teams, whole = table
        for number in range(MAX_GAMES):
            if not self.wanted:
                return
            met: set[str] = set()
            # Games by number: the seed follows from it, and the file needs only the number.
            for scene in scenes(opened(preset, seats, number, teams), deals=FULL_SEARCH if whole else 1):
                self._look(scene, number, met)
        for name in [name for name in self.wanted if name not in self.best]:
            print(f"{preset} {name}: no game of {MAX_GAMES} shows it", file=sys.stderr)

    def _look(self, scene: Scene, number: int, met: set[str]) -> None:
        for name, topic in list(self.wanted.items()):
            if name in met or not topic.proof(scene):
                continue
            met.add(name)
            self._record(topic, scene, number)

    def _record(self, topic: Topic, scene: Scene, number: int) -> None:
        place = (number, scene.log.number, scene.move, span_of(topic, scene))
        found = Example(topic.preset, topic.id, topic.seats, *place, topic.teams)
        known = self.best.get(topic.id)
        # Earlier in its deal is easier to follow: fewer cards have moved before.
        if known is None or found.move < known.move:
            self.best[topic.id] = found
        self.seen[topic.id] += 1
        # In a whole match the number of a move within its deal says little: the first one found is taken.
        early = self.best[topic.id].move <= EARLY or topic.whole_match
        if early or self.seen[topic.id] >= CANDIDATES:
            del self.wanted[topic.id]


def found() -> Iterator[list[Example]]:
    """An example for every topic, in the order of the topics; after each table, what is known by then.

    What shows its rule already stays as it is: examples change only where the engine or a proof does.
    """
    every = list(topics())
    best = {(topic.preset, topic.id): known for topic in every if not shows(topic) and (known := known_of(topic))}
    by_table: dict[Table, list[Topic]] = defaultdict(list)
    for topic in every:
        if (topic.preset, topic.id) not in best:
            by_table[topic.preset, topic.seats, topic.teams, topic.whole_match].append(topic)
    for table, wanted in by_table.items():
        search = Search(wanted)
        search.run(table)
        best |= {(table[0], name): example for name, example in search.best.items()}
        # After each table, so that a search that is broken off has not been for nothing.
        yield [best[topic.preset, topic.id] for topic in every if (topic.preset, topic.id) in best]


def known_of(topic: Topic) -> Example | None:
    """The example that the file has."""
    return example_of(topic.preset, topic.id) if FILE.is_file() else None


def written(examples: Iterable[Example]) -> str:
    """The file: a line per example."""
    presets: dict[str, list[str]] = defaultdict(list)
    for one in examples:
        place = [one.seats, one.number, one.deal, one.move, one.span, *([one.teams] if one.teams != "solo" else [])]
        presets[one.preset].append(f'  "{one.topic}": {json.dumps(place)}')
    blocks = [f' "{preset}": {{\n' + ",\n".join(lines) + "\n }" for preset, lines in presets.items()]
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def shows(topic: Topic) -> str:
    """Return what is wrong with a topic's example, "" if it shows what it must."""
    example = known_of(topic)
    if example is None:
        return f"{topic.preset} {topic.id}: has no example"
    match = opened(topic.preset, example.seats, example.number, example.teams)
    for scene in scenes(match, deals=example.deal if not topic.whole_match else FULL_SEARCH):
        if (scene.log.number, scene.move) == (example.deal, example.move):
            fits = topic.proof(scene) and example.span == span_of(topic, scene) and example.seats == topic.seats
            return "" if fits else f"{topic.preset} {topic.id}: the example does not show it"
    return f"{topic.preset} {topic.id}: there is no such move"


def main(arguments: list[str] | None = None) -> int:
    """Write the file, or say what is wrong with it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="look at the examples there are instead of writing")
    options = parser.parse_args(arguments)
    if options.check:
        wrong = [text for topic in topics() if (text := shows(topic))]
        print("\n".join(wrong) or "every example shows its rule")
        return 1 if wrong else 0
    if all(not shows(topic) for topic in topics()):
        print(f"{FILE.name}: every example shows its rule, nothing is changed")
    for examples in found():
        FILE.write_text(written(examples), encoding="utf-8")
        print(f"{FILE.name}: {len(examples)} examples", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
