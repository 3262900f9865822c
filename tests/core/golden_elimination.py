"""Reference brackets (tests/data/golden/elimination.json): every round, every bye, every place."""

from __future__ import annotations

from collections import Counter
from typing import Any

from core.formats.elimination import (
    Bracket,
    BracketMatch,
    BracketShape,
    Ended,
    Kind,
    State,
    advance,
    bracket,
    places,
)
from core.formats.elimination.pairs import padded, slots

Case = dict[str, Any]


def test_elimination(golden_elimination: Case) -> None:
    case = golden_elimination
    size = case["players"]
    shape = BracketShape(Kind(case["kind"]), third_place=case.get("third_place_match", False))
    drawn = bracket([_name(seed) for seed in range(1, size + 1)], shape)
    assert slots(padded(size)) == case["seed_slots"]
    assert _byes(drawn) == case["byes_to_seeds"]
    whole = _play(drawn, case["upsets"])
    assert whole.is_over
    assert {label: _round(whole, label) for label in whole.rounds if _is_played(whole, label)} == {
        one["round"]: (one["matches"], one["winners"]) for one in case["rounds"]
    }
    played = sum(match.state is State.FINISHED for match in whole.matches)
    assert played == case["matches_played"]
    assert drawn.figures.least <= played <= drawn.figures.most
    assert _places(whole) == [(*one["places"], one["seeds"]) for one in case["places"]]
    if case["kind"] == "double":
        _everybody_lost_twice(whole, case["champion"])


def _name(seed: int) -> str:
    return f"{seed:03}"


def _byes(drawn: Bracket) -> list[int]:
    return sorted(int(match.entries[0]) for match in drawn.matches if match.round == "W1" and len(match.entries) == 1)


def _play(drawn: Bracket, upsets: Any) -> Bracket:
    """The better seed wins, but for the matches named."""
    now, ended = drawn, list[Ended]()
    while now.ready:
        for match in now.ready:
            worse_wins = upsets == "all" or match.id in upsets
            order = sorted(match.entries, reverse=worse_wins)
            ended.append(Ended(match.id, tuple(order), (1, 2)))
        now = advance(drawn, ended)
    return now


def _is_played(whole: Bracket, label: str) -> bool:
    return any(match.state is not State.UNNEEDED for match in whole.matches if match.round == label)


def _round(whole: Bracket, label: str) -> tuple[list[list[int | None]], list[int | None]]:
    matches = [match for match in whole.matches if match.round == label]
    return [[_seed(seat.entry) for seat in match.seats] for match in matches], [_winner(match) for match in matches]


def _seed(entry: str | None) -> int | None:
    return None if entry is None else int(entry)


def _winner(match: BracketMatch) -> int | None:
    return _seed(match.order[0])


def _places(whole: Bracket) -> list[tuple[int, int, list[int]]]:
    shared: dict[tuple[int, int], list[int]] = {}
    for placed in places(whole):
        shared.setdefault((placed.best, placed.worst), []).append(int(placed.entry))
    return [(*key, sorted(seeds)) for key, seeds in shared.items()]


def _everybody_lost_twice(whole: Bracket, champion: int) -> None:
    finished = [match for match in whole.matches if match.state is State.FINISHED]
    lost = Counter(int(match.order[1] or 0) for match in finished)
    assert lost.pop(champion, 0) <= 1
    assert set(lost.values()) == {2}
    assert len(lost) == len(whole.entries) - 1
