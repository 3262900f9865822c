"""Tensors: made of what a seat may know, and of nothing else; where everything is in them."""

from __future__ import annotations

from array import array
from random import Random

import numpy as np
import pytest

from engine.cards import codes
from engine.environments.setup import seatings
from engine.episode import Episode
from engine.errors import EngineError
from engine.game import State, game_of
from engine.games import PRESETS, ruleset
from engine.match import Match
from engine.tensors import CARDS, RECENT, SCALE, History, Tensors, cards_of, features_of, tensors_of
from tests.engine.worlds import seed_of

SEATINGS = seatings()


def of(episode: Episode, seat: int) -> np.ndarray:
    found = np.full(episode.tensors.size, np.nan, np.float32)
    episode.write_tensor(seat, found)
    return found


def begun(preset: str, seats: int, *, stepwise: bool = False) -> Episode:
    """An episode that has just begun; its cards are the same in every test."""
    episode = Episode(ruleset(preset), seats, stepwise=stepwise)
    episode.begin(seed_of("tensors", preset, seats))
    return episode


def world_of(episode: Episode) -> State:
    assert episode.course is not None
    return episode.course.state


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "seats"), SEATINGS)
def test_two_worlds_that_a_seat_cannot_tell_apart_have_one_tensor(preset: str, seats: int) -> None:
    """The hidden cards lie otherwise in the second world; what is written for the seat is the same to the bit."""
    episode, dice = begun(preset, seats), Random(seats)
    game, tensors = game_of(episode.ruleset.game), episode.tensors
    for _ in range(60):
        if episode.is_over:
            break
        for seat in range(seats):
            known = game.observe(world_of(episode), seat)
            twin = game.observe(game.determinize(known, dice), seat)
            other = np.zeros(tensors.size, np.float32)
            assert episode.course is not None
            totals, deals = episode.course.totals, len(episode.course.deals) - 1
            tensors.write(twin, episode.history, deals, totals, -1, other, 0)
            assert other.tobytes() == of(episode, seat).tobytes()
        episode.step(dice.choice(list(episode.choices)))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "seats"), SEATINGS)
def test_the_history_is_what_everybody_was_told(preset: str, seats: int) -> None:
    """Who, what, and the cards named or turned up of every public event of the deal."""
    episode, dice = begun(preset, seats), Random(7)
    match = Match(episode.ruleset, seats, seed_of("tensors", preset, seats))
    for _ in range(300):
        if episode.is_over:
            break
        number = dice.choice(list(episode.choices))
        match.apply(episode.choices[number][0])
        episode.step(number)
        first = max(place for place, event in enumerate(match.events) if "deal" in event)
        told = [event for event in match.events[first:] if "by" in event]
        history = episode.history
        for event, decision in zip(told, history.decisions, strict=True):
            seat, action, _flipped = decision
            cards = cards_of(decision)
            assert f"p{seat}" == event["by"]
            assert action.kind in event
            named = {str(event.get(key)) for key in ("play", "take", "draw_take", "blocked_choice", "discard", "flip")}
            assert set(codes(cards)) == {text for text in named if "." in text}, event


@pytest.mark.parametrize(("preset", "seats"), SEATINGS)
def test_planes_and_scalars_have_a_name_each(preset: str, seats: int) -> None:
    rules = ruleset(preset)
    layout, found = Tensors(rules, seats).layout, features_of(rules.game)
    episode = begun(preset, seats)
    known = game_of(rules.game).observe(world_of(episode), episode.seat)
    sides = rules.sides(seats)
    assert len(found.planes(known, sides, len(set(sides)))) == len(found.plane_names(seats, len(set(sides))))
    assert len(found.scalars(known, seats)) == len(found.scalar_names(seats, len(set(sides))))
    assert layout.size == CARDS * len(layout.planes) + RECENT * layout.row + len(layout.scalars)
    assert len(set(layout.planes)) == len(layout.planes)
    assert len(set(layout.scalars)) == len(layout.scalars)


@pytest.mark.parametrize("preset", PRESETS)
def test_planes_show_the_cards_of_the_observation(preset: str) -> None:
    seats = game_of(PRESETS[preset].game).seat_range[1]
    episode, dice = begun(preset, seats), Random(2)
    layout, game = episode.tensors.layout, game_of(episode.ruleset.game)
    for _ in range(40):
        if episode.is_over:
            break
        for seat in range(seats):
            table = game.observation(world_of(episode), seat)
            planes = of(episode, seat)[: layout.history_at].reshape(-1, CARDS)
            assert codes(_set(planes[layout.planes.index("hand")])) == table["hand"]
            if "field" in layout.planes:
                assert codes(_set(planes[layout.planes.index("field")])) == table["field"]
        episode.step(dice.choice(list(episode.choices)))


def _set(plane: np.ndarray) -> int:
    assert set(np.unique(plane)) <= {0.0, 1.0}
    return sum(1 << int(card) for card in np.flatnonzero(plane))


def test_sides_and_seats_are_counted_from_the_observer() -> None:
    episode, dice = Episode(ruleset("hawaii", teams="2x2"), 4), Random(1)
    episode.begin(seed_of("partners"))
    for _ in range(15):
        episode.step(dice.choice(list(episode.choices)))
    layout, course = episode.tensors.layout, episode.course
    assert course is not None
    trays = game_of("sakura").observation(course.state, 0)["tray"]
    assert isinstance(trays, list)
    for seat in range(4):
        found = of(episode, seat)
        planes = found[: layout.history_at].reshape(-1, CARDS)
        shown = [codes(_set(planes[layout.planes.index(f"tray of side {side}")])) for side in range(2)]
        assert shown == (trays if seat % 2 == 0 else trays[::-1])
        scalars = dict(zip(layout.scalars, found[layout.scalars_at :], strict=True))
        assert [scalars[f"seat is {number}"] for number in range(4)] == [float(number == seat) for number in range(4)]
        assert scalars[f"dealer is seat {(course.dealer - seat) % 4}"] == 1.0
        assert scalars[f"seat {(episode.seat - seat) % 4} decides"] == 1.0
        row = found[layout.history_at : layout.history_at + layout.row]
        assert row[CARDS + (episode.history.decisions[-1][0] - seat) % 4] == 1.0


def test_totals_and_the_number_of_the_deal_are_in_it() -> None:
    episode, dice = Episode(ruleset("koikoi_nintendo"), 2), Random(4)
    episode.begin(seed_of("totals"))
    assert episode.course is not None
    while len(episode.course.deals) < 4:
        episode.step(dice.choice(list(episode.choices)))
    layout = episode.tensors.layout
    scalars = dict(zip(layout.scalars, of(episode, 1)[layout.scalars_at :], strict=True))
    assert scalars["deals played"] == pytest.approx(3 / 12)
    assert scalars["total of side 0"] == pytest.approx(episode.course.totals[1] / SCALE)
    assert any(episode.course.totals)


def test_the_card_whose_target_is_asked_for_is_in_it() -> None:
    episode, dice = begun("hawaii", 2, stepwise=True), Random(3)
    while episode.chosen < 0:
        episode.step(dice.choice(list(episode.choices)))
    chosen = episode.tensors.layout.planes.index("chosen")
    planes = [of(episode, seat)[: episode.tensors.layout.history_at].reshape(-1, CARDS) for seat in range(2)]
    assert np.flatnonzero(planes[episode.seat][chosen]).tolist() == [episode.chosen]
    assert not planes[1 - episode.seat][chosen].any(), "nobody else knows of it yet"


def test_any_writable_buffer_will_do_and_nothing_else_of_it_is_touched() -> None:
    episode = begun("koikoi_zoo", 2)
    size = episode.tensors.size
    numbers, raw = array("f", [9.0]) * (size + 2), bytearray(b"\1" * (4 * size + 8))
    episode.write_tensor(0, numbers, 4)
    episode.write_tensor(0, raw, 4)
    assert numbers.tobytes()[4:-4] == raw[4:-4] == of(episode, 0).tobytes()
    assert (numbers[0], numbers[-1], raw[:4], raw[-4:]) == (9.0, 9.0, bytearray(b"\1" * 4), bytearray(b"\1" * 4))


def test_the_newest_of_many_decisions_come_first() -> None:
    rules = ruleset("hawaii")
    state = game_of("sakura").observe(world_of(begun("hawaii", 2)), 0)
    tensors, history = tensors_of(rules, 2), History()
    legal = state.legal or game_of("sakura").observe(world_of(begun("hawaii", 2)), 1).legal
    for number in range(RECENT + 5):
        history.note(number % 2, legal[number % len(legal)], number)
    found = np.zeros(tensors.size, np.float32)
    tensors.write(state, history, 0, (0, 0), -1, found, 0)
    rows = found[tensors.layout.history_at : tensors.layout.scalars_at].reshape(RECENT, -1)
    assert [int(row[RECENT + 4 - place]) for place, row in enumerate(rows)] == [1] * RECENT
    assert history.copy().decisions == history.decisions


def test_nothing_is_written_before_the_first_episode() -> None:
    episode = Episode(ruleset("hawaii"), 2)
    with pytest.raises(EngineError, match="begin"):
        episode.write_tensor(0, bytearray(4 * episode.tensors.size))
    with pytest.raises(EngineError, match="no legal action"):
        episode.step(0)


@pytest.mark.parametrize(("preset", "seats"), [("hawaii", 4), ("koikoi_zoo", 2), ("nuki88", 3), ("poka5", 2)])
def test_a_tensor_does_not_depend_on_those_written_before(preset: str, seats: int) -> None:
    """Planes and rows are kept by seat; a history that nobody looked at before gives the same to the bit."""
    episode, dice = begun(preset, seats), Random(5)
    for _ in range(80):
        if episode.is_over:
            break
        for seat in range(seats):
            if dice.random() < 0.3:
                seen, copied = of(episode, seat), episode.history.copy()
                episode.history.sights.clear()
                episode.history.planes.clear()
                assert of(episode, seat).tobytes() == seen.tobytes()
                episode.history = copied
        episode.step(dice.choice(list(episode.choices)))
