"""`play`, `replay`, `verify`, `repro`: the same cards again, and a failure seen again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.runner.spec import MatchSpec
from bots.runner.table import play
from bots.runner.zygote import Zygote
from engine.deck import commitment
from engine.game import game_of
from engine.games import PRESETS
from engine.record import canonical
from kit.command import SEED_BYTES, some_seed
from kit.contest import ContestSettings, arrange
from kit.documents import load
from kit.players import player
from kit.viewing import Viewer, wanted
from tests.kit.conftest import Type

LAST = "def choose(obs):\n    print('asked', obs['deal'], obs['move'])\n    return obs['legal'][-1]\n"
FAILS = "def choose(obs):\n    print('asked', obs['move'])\n    return 0 if obs['move'] < 9 else {}['x']\n"


@pytest.mark.slow
def test_results_have_intervals_and_the_same_seed_gives_the_same_records(
    type_in: Type, my_bot: Callable[..., Path]
) -> None:
    my_bot(LAST)
    words = ("play", "mine", "house:greedy", "--deals", "3", "--duplicate", "--seed", "plum", "--json")
    one, two = (type_in(*words, "--records", folder) for folder in ("one", "two"))
    assert (one.code, one.json["seed"], one.json["counts"]) == (0, "plum", "score")
    rows = {row["player"]: row for row in one.json["results"]}
    assert {row["matches"] for row in rows.values()} == {6}
    mine, greedy = rows["mine"], rows["house:greedy"]
    assert mine["place_share"]["mean"] + greedy["place_share"]["mean"] == pytest.approx(1)
    assert mine["lead"]["mean"] == pytest.approx(-greedy["lead"]["mean"])
    assert mine["lead"]["half"] == pytest.approx(greedy["lead"]["half"])
    assert sum(mine["sets"].values()) == 3
    assert [row["lead"] for row in one.json["results"]] == [row["lead"] for row in two.json["results"]]
    files = sorted(Path("one").glob("*.json"))
    assert [path.name for path in files] == [f"plum-{deal}-{leg}.json" for deal in (1, 2, 3) for leg in (1, 2)]
    for path in files:
        first, second = load(path), load(Path("two") / path.name)
        assert canonical(first["record"]) == canonical(second["record"])
        assert first["view"]["names"] == (
            ["mine", "house:greedy"] if path.stem[-1] == "1" else ["house:greedy", "mine"]
        )
    orders = [load(path)["record"]["deals"][0]["orders"] for path in files]
    assert orders[0] == orders[1] != orders[2]
    verified = type_in("verify", *map(str, files), "--json")
    assert (verified.code, verified.json["ok"]) == (0, True)
    assert all(one["seed"] for one in verified.json["files"])


@pytest.mark.thorough
def test_one_swapped_card_is_named(type_in: Type) -> None:
    assert type_in("play", "house:random", "house:greedy", "--deals", "1", "--records", ".", "--seed", "s").code == 0
    document = load(Path("s-1-1.json"))
    order = document["record"]["deals"][0]["orders"][0]
    order[3], order[4] = order[4], order[3]
    Path("swapped.json").write_text(json.dumps(document), encoding="utf-8")
    found = type_in("verify", "s-1-1.json", "swapped.json")
    assert found.code == 1
    assert "ok    s-1-1.json" in found.out
    assert "FAIL  swapped.json (hash)" in found.out
    assert type_in("verify", "s-1-1.json", "--seed", "00" * 16).code == 1
    assert type_in("verify", "s-1-1.json", "--seed", "plum").code == 2


@pytest.mark.thorough
def test_a_match_is_told_in_words(type_in: Type) -> None:
    assert type_in("play", "house:greedy", "house:yaku", "--deals", "1", "--records", ".", "--seed", "s").code == 0
    whole = type_in("replay", "s-1-1.json")
    assert "Deal 1. " in whole.out
    assert "house:greedy plays" in whole.out
    viewer = Viewer(load(Path("s-1-1.json")))
    moves = len(viewer.replay.deals[0].moves)
    place = type_in("replay", "s-1-1.json#d1m5")
    assert f"Deal 1 of 1, move 5 of {moves}" in place.out
    assert place.out.rstrip().endswith(viewer.texts_of(viewer.replay.deals[0])[5])
    mine = type_in("replay", "s-1-1.json#d1m5s2", "--all")
    assert "hidden cards" in mine.out
    as_json = type_in("replay", "s-1-1.json#d1m5", "--json").json
    assert (as_json["deal"], as_json["move"]) == (1, 5)
    assert as_json["document"]["hash"] == load(Path("s-1-1.json"))["hash"]
    assert type_in("replay", "s-1-1.json#5").code == 2
    assert wanted("m3").is_a_place


@pytest.mark.thorough
def test_keys_lead_through_a_match(type_in: Type) -> None:
    from kit.commands.replay import DOWN, END, HOME, LEFT, RIGHT, UP, step

    words = ("play", "house:random", "house:random", "--deals", "1", "--rounds", "3", "--records", ".", "--seed", "s")
    assert type_in(*words).code == 0
    viewer = Viewer(load(Path("s-1-1.json")))
    place = viewer.place(wanted(""))
    seen = []
    for key in (RIGHT, RIGHT, DOWN, DOWN, DOWN, LEFT, UP, UP, END[0], RIGHT, HOME[0], LEFT, "x"):
        moved = step(viewer, place, key)
        assert moved is not None
        place = moved
        seen.append((place.deal, place.move))
    last = [len(deal.moves) for deal in viewer.replay.deals]
    assert seen == [
        (1, 1), (1, 2), (2, 0), (3, 0), (3, 0), (2, last[1]), (2, 0), (1, 0), (3, last[2]), (3, last[2]), (1, 0),
        (1, 0), (1, 0),
    ]  # fmt: skip
    assert step(viewer, place, "q") is None


@pytest.mark.slow
def test_a_failure_is_kept_and_seen_again_until_it_is_mended(type_in: Type, my_bot: Callable[..., Path]) -> None:
    folder = my_bot(FAILS)
    played = type_in("play", "mine", "--deals", "1", "--json")
    assert played.code == 1
    assert played.json["failures"] == [{"id": "L1", "code": "crash", "player": "mine"}]
    listed = type_in("logs", "mine", "--local")
    assert "L1  crash" in listed.out
    shown = type_in("logs", "mine", "--local", "--last-failure")
    assert "KeyError: 'x'" in shown.out
    assert "hanami repro L1" in shown.out
    again = type_in("repro", "L1", "mine", "--json")
    assert (again.code, again.json["code"]) == (1, "crash")
    kept = json.loads((folder / ".hanami" / "failures" / "L1.json").read_text())
    assert again.json["observation"]["hand"] == kept["observation"]["hand"]
    assert again.json["at"]["move"] == kept["move"]
    assert again.json["log"].count("asked") == again.json["at"]["number"]
    assert again.json["went_away"] is None
    my_bot(FAILS.replace("{}['x']", "0"))
    mended = type_in("repro", "L1", "mine")
    assert mended.code == 0
    assert "It answers in deal 1, move" in mended.out
    my_bot(LAST)
    assert "otherwise than in the match" in type_in("repro", "l1", "mine").out
    assert type_in("repro", "L9", "mine").code == 2


@pytest.mark.slow
def test_a_bot_that_does_not_load_is_repeated_too(type_in: Type, my_bot: Callable[..., Path]) -> None:
    my_bot("raise ValueError('no')\n")
    assert type_in("play", "mine", "--deals", "1", "--json").json["failures"][0]["code"] == "crash"
    again = type_in("repro", "L1", "mine")
    assert again.code == 1
    assert "It fails again, while loading: crash" in again.out
    my_bot(LAST)
    assert "It loads." in type_in("repro", "L1", "mine").out


@pytest.mark.slow
def test_the_match_of_a_record_is_played_again(type_in: Type, my_bot: Callable[..., Path]) -> None:
    folder = my_bot(LAST)
    words = ("play", "mine", "house:sampler", "--deals", "1", "--records", "games", "--seed", "s")
    assert type_in(*words).code == 0
    same = type_in("play", "mine", "house:sampler", "--like", "games/s-1-1.json", "--json")
    assert (same.code, same.json["ok"], same.json["hash"]) == (0, True, same.json["like"])
    my_bot("def choose(obs):\n    return 0\n")
    other = type_in("play", str(folder), "house:sampler", "--like", "games/s-1-1.json")
    assert other.code == 1
    assert "in the record, now" in other.out


@pytest.mark.parametrize("preset", [name for name in PRESETS if name not in ("paradise", "enwiki2020", "poka3")])
def test_seatings_are_fair_at_every_table(preset: str) -> None:
    low, high = game_of(PRESETS[preset].game).seat_range
    bots = [player("house:random"), player("house:greedy"), player("house:yaku")]
    for seats in range(low, high + 1):
        for count in range(2, min(seats, 3) + 1):
            wish = ContestSettings(deals=4, seed="s", preset=preset, seats=seats, duplicate=True)
            contest = arrange(bots[:count], wish)
            seatings = contest.seatings()
            assert len(set(seatings)) == len(seatings) == seats
            assert {seating.index(0) for seating in seatings} == set(range(seats))
            assert all(set(seating) == set(range(count)) for seating in seatings)
            assert contest.matches == 4 * seats
            legs = [leg for number in range(4) for leg in arrange(bots[:count], wish).legs(number)]
            assert len(legs) == contest.matches
            once = arrange(bots[:count], ContestSettings(deals=seats, seed="s", preset=preset, seats=seats))
            assert {seating.index(0) for number in range(seats) for _, seating in once.legs(number)} == set(
                range(seats)
            )


def test_partners_are_one_player_and_each_sits_alone_in_turn() -> None:
    bots = [player("house:random"), player("house:greedy")]
    teams = arrange(bots, ContestSettings(deals=1, seed="s", preset="hawaii", options={"teams": "2x2"}, duplicate=True))
    assert teams.seatings() == ((0, 1, 0, 1), (1, 0, 1, 0))
    both = arrange(bots, ContestSettings(deals=1, seed="s", preset="hawaii", seats=3, duplicate=True, both_alone=True))
    assert sorted(both.seatings()) == sorted(
        {(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)}
    )  # fmt: skip


@pytest.mark.thorough
def test_the_kit_s_table_is_the_service_s(at_home: Path) -> None:
    """The contest's match is an ordinary spec: the same one played by hand gives the same bytes."""
    contest = arrange(
        [player("house:yaku"), player("house:greedy")], ContestSettings(deals=2, seed="s", preset="french")
    )
    spec = contest.spec(1, 1, (0, 1))
    by_hand = MatchSpec(
        match_id=spec.match_id, ruleset=contest.rules, preset="french", seats=2, seed=spec.seed, leg=1,
        fair={"stage": commitment(spec.seed), "commit": commitment(spec.seed), "deal_set": "s-2", "leg": 1},
        bots=(player("house:yaku").files, player("house:greedy").files),
    )  # fmt: skip
    with Zygote.start() as sandbox:
        assert play(spec, sandbox).document["hash"] == play(by_hand, sandbox).document["hash"]


def test_seeds_are_drawn_or_typed() -> None:
    assert some_seed("plum-7") == "plum-7"
    assert len(some_seed(None)) == 2 * SEED_BYTES
    assert some_seed(None) != some_seed(None)


@pytest.mark.slow
def test_several_processes_play_what_one_plays(type_in: Type) -> None:
    words = ("play", "house:random", "house:greedy", "--deals", "16", "--seed", "s", "--json")
    one, two = type_in(*words, "--jobs", "1"), type_in(*words, "--jobs", "2")
    keys = ("place_share", "lead", "sets")
    assert [[row[key] for key in keys] for row in one.json["results"]] == [
        [row[key] for key in keys] for row in two.json["results"]
    ]


@pytest.mark.parametrize("word", ["hosue:greedy", "greedy"])
def test_a_player_that_is_not_there_names_the_house_bots(type_in: Type, my_bot: Callable[..., Path], word: str) -> None:
    my_bot(LAST)
    said = type_in("play", "mine", word, "--deals", "1")
    assert (said.code, word in said.err, "house:greedy, house:yaku" in said.err) == (2, True, True)
