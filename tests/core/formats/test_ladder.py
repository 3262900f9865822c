"""Ladders and gauntlets: who plays next, and what a deal set is made of."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.errors import FormatError
from core.formats.ladder import Contender, Gauntlet, GauntletPod, Ladder, LadderPod
from core.formats.ladder.ranked import Ranked

QUICK = settings(max_examples=40, deadline=None)


def ladder_of(count: int, seed: int = 0) -> Ladder:
    rng, made = Random(seed), Ladder()
    for number in range(count):
        made.put(Contender(f"bot-{number:04}", "v1", rng.gauss(25, 6), rng.uniform(1, 8)))
    return made


@QUICK
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=2000), st.integers(-5, 45))
def test_keys_stay_in_order(steps: list[tuple[bool, int]], at: int) -> None:
    """Against a plain sorted list, over block borders."""
    ranked, plain = Ranked(), set[tuple[float, str]]()
    for number, (is_added, value) in enumerate(steps):
        key = (float(value), f"{number % 97:02}")
        if is_added and key not in plain:
            ranked.add(key)
            plain.add(key)
        elif not is_added and plain:
            gone = min(plain, key=lambda own: (abs(own[0] - value), own))
            ranked.remove(gone)
            plain.discard(gone)
    near = list(ranked.around((float(at), "x")))
    assert sorted(near) == sorted(plain)
    assert [abs(key[0] - at) for key in near] == sorted(abs(key[0] - at) for key in plain)
    with pytest.raises(KeyError):
        ranked.remove((0.5, "never"))


def test_many_keys_are_split_into_blocks() -> None:
    ranked = Ranked()
    numbers = Random(1).sample(range(5000), 5000)
    for number in numbers:
        ranked.add((float(number), "k"))
    assert [key[0] for key, _ in zip(ranked.around((2500.0, "k")), range(4), strict=False)] == [2499, 2501, 2498, 2502]
    for number in numbers[:4900]:
        ranked.remove((float(number), "k"))
    assert sorted(key[0] for key in ranked.around((-1.0, "k"))) == sorted(numbers[4900:])


@QUICK
@given(st.integers(2, 7), st.integers(0, 50), st.integers(0, 99))
def test_pods_seat_different_entries_and_depend_on_the_seed_alone(seats: int, more: int, seed: int) -> None:
    one, other = ladder_of(seats + more), Ladder()
    for contender in sorted(one._known.values(), key=lambda own: own.mu):
        other.put(contender)
    first, second = Random(seed), Random(seed)
    for _ in range(5):
        pod = one.draw(seats, first)
        assert len({entry for entry, _ in pod.seats}) == seats
        assert [str(reason) for reason in pod.why]
        if not more:
            assert sorted(pod.seats) == sorted(other.draw(seats, second).seats)


def test_the_least_sure_plays_and_waits_its_turn() -> None:
    ladder = ladder_of(30)
    ladder.put(Contender("new", "v1", 25.0, 100.0))
    rng = Random(1)
    pods = [ladder.draw(4, rng) for _ in range(3)]
    assert all("new" in dict(pod.seats) for pod in pods)
    for _ in range(2000):
        ladder.draw(4, rng)
    assert min(ladder._busy.values()) > 0
    for pod in pods:
        ladder.finished(pod)


def test_a_pod_keeps_its_versions() -> None:
    """The version at the time of the draw plays all legs; the next pod has the new one."""
    ladder = ladder_of(2)
    pod = ladder.draw(2, Random(1))
    ladder.put(Contender("bot-0000", "v2", 25.0, 8.0))
    assert {version for _, version in pod.seats} == {"v1"}
    assert dict(ladder.draw(2, Random(1)).seats) == {"bot-0000": "v2", "bot-0001": "v1"}


def test_most_opponents_are_neighbours_and_a_tenth_is_anybody() -> None:
    ladder = Ladder()
    for number in range(1000):
        ladder.put(Contender(f"bot-{number:04}", "v1", float(number), 5.0))
    rng, far, seen = Random(3), 0, 0
    for _ in range(2000):
        pod = ladder.draw(2, rng)
        one, other = (int(entry[-4:]) for entry, _ in pod.seats)
        far += abs(one - other) > 3
        seen += 1
        ladder.finished(pod)
    assert 0.07 < far / seen < 0.13


def test_who_left_is_not_drawn() -> None:
    ladder = ladder_of(6)
    rng = Random(1)
    pod = ladder.draw(2, rng)
    for number in (1, 3, 5):
        ladder.remove(f"bot-{number:04}")
    drawn = {entry for _ in range(50) for entry, _ in ladder.draw(3, rng).seats}
    assert drawn == {"bot-0000", "bot-0002", "bot-0004"}
    ladder.finished(pod)
    ladder.finished(LadderPod((("bot-0001", "v1"),)))
    assert len(ladder) == 3
    with pytest.raises(FormatError) as raised:
        ladder.draw(4, rng)
    assert raised.value.code == "entries.too_few"


@QUICK
@given(st.integers(2, 5), st.integers(0, 6), st.integers(1, 40), st.integers(1, 9), st.integers(0, 99))
def test_a_gauntlet_is_even_and_ends_at_its_quota(seats: int, more: int, quota: int, step: int, seed: int) -> None:
    anchors = tuple(f"anchor-{number}" for number in range(seats - 1 + more))
    gauntlet = Gauntlet("candidate", anchors, seats, quota)
    drawn: list[GauntletPod] = []
    while pods := gauntlet.next(drawn, step, Random(f"{seed}/{len(drawn)}")):
        drawn += pods
        met = Counter(dict.fromkeys(anchors, 0))
        met.update(name for pod in drawn for name in pod.seats if name != "candidate")
        assert max(met.values()) - min(met.values()) <= 1
    assert [pod.number for pod in drawn] == list(range(1, quota + 1))
    sat = Counter(dict.fromkeys(range(seats), 0))
    sat.update(pod.seats.index("candidate") for pod in drawn)
    assert max(sat.values()) - min(sat.values()) <= 1
    assert all(len(set(pod.seats)) == seats for pod in drawn)


def test_a_gauntlet_stops_when_the_test_has_decided() -> None:
    gauntlet = Gauntlet("new", ("old",), 2, 100)
    first = gauntlet.next([], 4, Random(1))
    assert str(first[3].why[0]).endswith("deal set 4 of at most 100.")
    assert gauntlet.next(first, 4, Random(2), is_decided=True) == []
    for anchors, code in ((("new", "old"), "entries.twice"), ((), "entries.too_few")):
        with pytest.raises(FormatError) as raised:
            Gauntlet("new", anchors, 2, 10)
        assert raised.value.code == code
