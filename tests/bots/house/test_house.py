"""The house bots: they never fail, they repeat themselves, and stronger is stronger."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pytest

from benchmarks.duplicate.play import Contest, Duel, interval, play_duel
from bots.house import HOUSE, PLAYS, VARIANTS, house_files
from bots.runner.inprocess import InProcessLauncher
from bots.runner.table import play
from bots.uploads import check_source, read_upload
from engine.game import game_of
from engine.games import PRESETS, option_table, ruleset
from engine.record import verify
from tests.bots.matches import a_spec

SEATINGS = [(seats, "solo") for seats in range(2, 8)] + [(4, "2x2"), (6, "3x2"), (6, "2x3")]
EVERY_TABLE = [
    (name, seats)
    for name, preset in PRESETS.items()
    for seats in range(game_of(preset.game).seat_range[0], game_of(preset.game).seat_range[1] + 1)
]
EVERYBODY = [*HOUSE, *VARIANTS]


@pytest.mark.parametrize("name", EVERYBODY)
def test_a_house_bot_is_an_upload_like_any_other(name: str) -> None:
    files = dict(house_files(name).files)
    assert read_upload(f"{name}.py", files["bot.py"]).files == (("bot.py", files["bot.py"]),)
    assert check_source(files.items()) == []
    assert len(files["bot.py"].splitlines()) < 190


def test_variants_are_versions_of_their_own() -> None:
    hashes = {house_files(name).version_hash for name in EVERYBODY}
    assert len(hashes) == len(EVERYBODY) == 9
    assert house_files("sampler", worlds=3).version_hash not in hashes
    assert house_files("yaku-bold").files[0] == house_files("yaku").files[0]
    with pytest.raises(KeyError):
        house_files("nobody")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("seats", "teams"), SEATINGS)
@pytest.mark.parametrize("preset", ["hawaii", "paradise"])
def test_they_play_every_seating_without_a_fault_and_repeat_themselves(preset: str, seats: int, teams: str) -> None:
    quick = house_files("sampler", worlds=2, candidates=2)
    bots = [quick, *map(house_files, ("yaku", "greedy", "random", "yaku-guard")), quick, house_files("yaku")][:seats]
    spec = a_spec(*bots, preset=preset, number=seats, teams=teams, rounds=4)
    first, second = (play(spec, InProcessLauncher()) for _ in range(2))
    assert first.forfeits == ()
    assert [seat.log for seat in first.seats] == [b""] * seats
    assert first.document["record"] == second.document["record"]
    assert verify(first.document, seed=spec.seed).ok


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "seats"), EVERY_TABLE)
def test_they_play_every_preset_at_every_table_without_a_fault(preset: str, seats: int) -> None:
    has_rounds = any(info.id == "rounds" for info in option_table(PRESETS[preset].game))
    bots = [house_files(list(HOUSE)[-1 - seat % len(HOUSE)]) for seat in range(seats)]
    spec = a_spec(*bots, preset=preset, number=seats)
    if has_rounds:
        spec = replace(spec, ruleset=ruleset(preset, rounds=2))
    played = play(spec, InProcessLauncher())
    assert played.forfeits == ()
    assert [seat.log for seat in played.seats] == [b""] * seats
    assert verify(played.document, seed=spec.seed).ok


def test_every_house_bot_declares_every_preset() -> None:
    assert set(PLAYS) == set(PRESETS)


def test_the_leg_changes_what_a_random_bot_does() -> None:
    one, other = (play(a_spec(*[house_files("random")] * 2, leg=leg), InProcessLauncher()) for leg in (1, 2))
    assert one.document["record"]["deals"][0]["orders"] == other.document["record"]["deals"][0]["orders"]
    assert one.document["record"]["deals"] != other.document["record"]["deals"]


@pytest.mark.thorough
@pytest.mark.parametrize(("preset", "duels"), [("nuki88", 6), ("poka5", 40), ("koikoi_nintendo", 6)])
def test_greedy_beats_random_by_the_values_of_other_games(preset: str, duels: int) -> None:
    verdicts = [play_duel(Duel(Contest(preset, "greedy", "random"), number)) for number in range(duels)]
    mean, width = interval([verdict.lead for verdict in verdicts])
    assert mean > width


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["hawaii", "paradise"])
def test_greedy_beats_random(preset: str) -> None:
    verdicts = [play_duel(Duel(Contest(preset, "greedy", "random"), number)) for number in range(6)]
    mean, width = interval([verdict.lead for verdict in verdicts])
    assert mean > width
    assert fmean(verdict.share for verdict in verdicts) > 0.3


@pytest.mark.thorough
def test_yaku_beats_random() -> None:
    verdicts = [play_duel(Duel(Contest("hawaii", "yaku", "random"), number)) for number in range(6)]
    mean, width = interval([verdict.lead for verdict in verdicts])
    assert mean > width


def test_a_duel_with_oneself_is_even() -> None:
    """Greedy draws no random numbers, so both legs are the same game with the seats swapped."""
    for number in range(3):
        verdict = play_duel(Duel(Contest("hawaii", "greedy", "greedy"), number))
        assert (verdict.share, verdict.lead) == (0.0, 0.0)


def test_the_student_asks_yaku_where_it_has_not_learnt() -> None:
    files = dict(house_files("student").files)
    assert set(files) == {"bot.py", "yaku.py", "student_rows.py", "student.npy"}
    assert sum(map(len, files.values())) < 200_000
    for preset, seats in (("hawaii", 3), ("paradise", 2)):
        twins = [
            play(a_spec(*[house_files(name)] * seats, preset=preset, number=4, rounds=2), InProcessLauncher())
            for name in ("student", "yaku")
        ]
        first, second = ([deal["moves"] for deal in twin.document["record"]["deals"]] for twin in twins)
        assert first == second


@pytest.mark.thorough
def test_the_student_is_no_worse_than_yaku_where_it_has_learnt() -> None:
    contest = Contest("hawaii", "student", "yaku", options={"rounds": 1})
    mean, width = interval([play_duel(Duel(contest, number)).lead for number in range(200)])
    assert mean > -width
    shares = [play_duel(Duel(Contest("hawaii", "student", "random"), number)).share for number in range(10)]
    assert fmean(shares) > 0.3
