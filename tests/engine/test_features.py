"""Planes and scalars of every game, by their names, beside the observation that they are made of (koikoi/ has its own).

Seats and sides are counted from the observer: "seat 1" is the next one that plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest

from engine.cards import ALL, GAJI, card_set, parse_cards
from engine.environments.setup import seatings
from engine.episode import Episode
from engine.game import Ruleset, game_of
from engine.games import PRESETS, ruleset
from engine.games.oibana.auction import NO_BID
from engine.games.poka.teyaku import teyaku_of
from engine.tensors import features_of
from tests.engine.nuki.tables import a_world as a_nuki_world
from tests.engine.oibana_worlds import a_deal, bid
from tests.engine.poka.tables import a_table as a_poka_table
from tests.engine.worlds import a_world, play, seed_of

Told = dict[str, Any]
DECISIONS: Final = 250


def from_observer(values: Any, seat: int) -> list[Any]:
    return [*values[seat:], *values[:seat]]


def numbered(name: str, values: Any, *, first: int = 0) -> Told:
    return {name.format(number): value for number, value in enumerate(values, first)}


def lying(card: int) -> int:
    return 1 << card if card >= 0 else 0


def table_planes(seen: Any) -> Told:
    """Those of the table of Sakura, which has no seats of its own yet."""
    in_sight = seen.hand | seen.field | seen.removed | lying(seen.pending)
    for tray in seen.captured:
        in_sight |= tray
    waiting = lying(seen.pending)
    told = {"hand": seen.hand, "field": seen.field, "waiting": waiting, "unseen": ALL ^ in_sight}
    return {**told, "removed": seen.removed, "clear": seen.clear, "barred": seen.barred}


def table_scalars(seen: Any) -> Told:
    return {
        "pile size, of 48": seen.pile_size / 48,
        "the waiting card was turned up": seen.pending_flip,
        "the Gaji came back": seen.returned,
        "the Gaji still claims": seen.transfer_open,
        "month of the Gaji's use, of 12": seen.gaji_month / 12,
    }


def sakura(seen: Any, sides: tuple[int, ...]) -> tuple[Told, Told]:
    seat, seats = seen.seat, len(sides)
    planes = table_planes(seen)
    planes |= numbered("tray of side {}", from_observer(seen.captured, sides[seat]))
    planes |= numbered("known of seat {}", from_observer(seen.known, seat)[1:], first=1)
    planes |= numbered("played by seat {}", from_observer(seen.played, seat))
    users = [seen.gaji_by == user for user in range(seats)]
    scalars = numbered("hand size of seat {}, of 8", [size / 8 for size in from_observer(seen.hand_sizes, seat)])
    scalars |= table_scalars(seen) | numbered("the Gaji was used by seat {}", from_observer(users, seat))
    return planes, scalars


def oibana(seen: Any, sides: tuple[int, ...]) -> tuple[Told, Told]:
    seat, seats, table, players = seen.seat, len(sides), seen.table, seen.players
    if table is None:
        hidden = ("field", "waiting", "removed", "clear", "barred", "own hand given back")
        planes = {"hand": seen.hand, "unseen": ALL ^ seen.hand} | dict.fromkeys(hidden, 0)
        quiet = ("the waiting card was turned up", "the Gaji came back", "the Gaji still claims")
        scalars: Told = {"pile size, of 48": (48 - 8 * seats) / 48, "month of the Gaji's use, of 12": 0}
        scalars |= dict.fromkeys(quiet, 0)
    else:
        planes = table_planes(table) | {"hand": seen.hand, "unseen": table.unseen, "own hand given back": seen.returned}
        scalars = table_scalars(table)

    def at_table(values: Any, absent: Any = 0) -> list[Any]:
        """What the two at the table have, by seat."""
        found = [values[players.index(each)] if each in players else absent for each in range(seats)]
        return from_observer(found, seat)

    trays, known, played = ((0, 0),) * 3 if table is None else (table.captured, table.known, table.played)
    planes |= numbered("tray of side {}", at_table(trays)) | numbered("played by seat {}", at_table(played))
    planes |= numbered("known of seat {}", at_table(known)[1:], first=1)
    sizes = [8] * seats if table is None else at_table(table.hand_sizes)
    bids = from_observer(seen.bids, seat)
    scalars |= numbered("hand size of seat {}, of 8", [size / 8 for size in sizes])
    scalars |= numbered("seat {} has bid", [bid != NO_BID for bid in bids])
    scalars |= numbered("bid of seat {}, of 100", [0 if bid == NO_BID else bid / 100 for bid in bids])
    scalars |= numbered("seat {} plays", at_table((True, True), False))
    scalars |= numbered("seat {} leads", at_table((True, False), False))
    user = -1 if table is None else table.gaji_by
    scalars |= numbered("the Gaji was used by seat {}", at_table((user == 0, user == 1), False))
    return planes, scalars


def nuki(seen: Any, sides: tuple[int, ...]) -> tuple[Told, Told]:
    seat, everybody = seen.seat, range(len(sides))
    seated = from_observer(everybody, seat)
    waiting = lying(seen.pending)
    planes = {"hand": seen.hand, "field": seen.field, "waiting": waiting, "unseen": seen.unseen}
    planes |= {"turned up": seen.turned, "own hand given back": seen.returned}
    planes |= numbered("tray of side {}", from_observer(seen.captured, seat))
    planes |= numbered("known of seat {}", from_observer(seen.known, seat)[1:], first=1)
    planes |= numbered("played by seat {}", from_observer(seen.played, seat))
    scalars = {
        "pile size, of 34": seen.pile_size / 34,
        "the deal is doubled": seen.multiplier == 2,
        "doubles handed to it, of 3": seen.carry / 3,
        "doubles handed on, of 3": seen.carry_out / 3,
        "thrown in before, of 4": seen.redeal / 4,
        "the dealer plays blind": seen.mizuten,
        "a dekiyaku was made in this turn": seen.fresh,
    }
    claims = from_observer(seen.claims, seat)
    scalars |= numbered("hand size of seat {}, of 7", [size / 7 for size in from_observer(seen.hand_sizes, seat)])
    scalars |= numbered("seat {} plays the deal", [each in seen.active for each in seated])
    scalars |= numbered("seat {} leads", [each == seen.leader for each in seated])
    scalars |= numbered("seat {} answered: play", [(each, "play") in seen.answers for each in seated])
    scalars |= numbered("seat {} answered: drop", [(each, "drop") in seen.answers for each in seated])
    scalars |= numbered("seat {} has claimed", [each is not None for each in claims])
    scalars |= numbered("claimed by seat {}, kan, of 12", [each.kan / 12 if each else 0 for each in claims])
    scalars |= numbered("seat {} has called sage", [seen.sage // 2**each % 2 for each in seated])
    scalars |= numbered("seat {} called sage first", [each == seen.first_sage for each in seated])
    scalars |= numbered("paid by seat {}, of 50", [paid / 50 for paid in from_observer(seen.paid, seat)])
    return planes, scalars


def poka(seen: Any, sides: tuple[int, ...]) -> tuple[Told, Told]:
    seat = seen.seat
    planes = {"hand": seen.hand, "top of the discard pile": lying(seen.discard[-1])}
    planes |= {"discard pile": card_set(seen.discard), "unseen": ALL ^ (seen.hand | card_set(seen.discard))}
    planes["known to be in the pile"] = 0 if seen.pile is None else seen.pile
    planes |= numbered("played by seat {}", from_observer(seen.played, seat))
    planes |= numbered("not held by seat {}", from_observer(seen.lacks, seat))
    shown = from_observer(seen.shown, seat)
    planes |= numbered("shown by seat {}", [0 if each is None else each.cards for each in shown])
    scalars = numbered("hand size of seat {}, of 12", [size / 12 for size in from_observer(seen.hand_sizes, seat)])
    scalars |= {"pile size, of 48": seen.pile_size / 48, "the pile is known": seen.pile is not None}
    scalars |= {"reshuffles, of 4": seen.reshuffles / 4, "turns passed in succession": seen.passes}
    scalars["cards laid in this turn, of 12"] = seen.laid / 12
    scalars |= numbered("first turn of seat {}", from_observer(seen.first_turn, seat))
    return planes, scalars


READERS: Final[dict[str, Callable[[Any, tuple[int, ...]], tuple[Told, Told]]]] = {
    "sakura": sakura, "oibana": oibana, "nuki": nuki, "poka": poka,
}  # fmt: skip
SEATINGS: Final = [(name, seats) for name, seats in seatings() if PRESETS[name].game in READERS]


def played(preset: str, seats: int, number: int) -> Iterator[Any]:
    """Yield the world before each decision of a match that is played at random."""
    episode, dice = Episode(ruleset(preset), seats), Random(number)
    episode.begin(seed_of("features", preset, seats, number))
    for _ in range(DECISIONS):
        if episode.is_over:
            return
        assert episode.course is not None
        yield episode.course.state
        episode.step(dice.choice(list(episode.choices)))


def check(state: Any, rules: Ruleset, seats: int) -> None:
    """What is told of a world is what each seat observes, by name."""
    game, found, sides = game_of(rules.game), features_of(rules.game), rules.sides(seats)
    count = len(set(sides))
    for seat in range(seats):
        seen: Any = game.observe(state, seat)
        planes, scalars = READERS[rules.game](seen, sides)
        told = zip(found.plane_names(seats, count), found.planes(seen, sides, count), strict=True)
        assert dict(told) == planes
        assert dict(zip(found.scalar_names(seats, count), found.scalars(seen, seats), strict=True)) == scalars
        assert seen.phase in found.phases


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize(("preset", "seats"), SEATINGS)
def test_planes_and_scalars_are_the_observation(preset: str, seats: int, number: int) -> None:
    for state in played(preset, seats, number):
        check(state, ruleset(preset), seats)


def test_the_first_card_of_all_can_be_the_one_that_waits() -> None:
    """01.1 is card 0: no other number stands for no card."""
    sakura_world = a_world(p0="02.1 06.1", p1="05.1", field="01.2 01.3", pile="01.1 12.1")
    nuki_world = a_nuki_world(p0="02.1 06.1", p1="05.1", field="01.2 01.3", pile="01.1 12.1")
    for state in (sakura_world, nuki_world):
        state.apply(play("02.1"))
        assert (state.phase, state.pending) == ("flip_choice", 0)
        check(state, state.rules.ruleset, 2)
        planes = dict(zip(features_of(state.rules.ruleset.game).plane_names(2, 2), planes_of(state), strict=True))
        assert planes["waiting"] == 1
        assert not planes["unseen"] & 1


def planes_of(state: Any) -> list[int]:
    game = state.rules.ruleset.game
    return features_of(game).planes(game_of(game).observe(state, 0), (0, 1), 2)


def test_a_gaji_that_came_back_and_what_was_paid_are_told() -> None:
    returned, paid = a_world(p0="02.1 11.4", p1="05.1", field="08.1", pile="12.1"), a_nuki_world(seats=3, p0="02.1")
    returned.returned, returned.known = True, [1 << GAJI, 0]
    paid.paid = [10, 0, 35]
    check(returned, returned.rules.ruleset, 2)
    check(paid, paid.rules.ruleset, 3)


def test_a_shown_teyaku_and_the_reshuffles_of_poka_are_told() -> None:
    state = a_poka_table(p0="01.1 02.1 05.1 05.2", p1="03.1 03.2", pile="12.1")
    teyaku = teyaku_of(parse_cards("03.1 03.2 03.3 03.4"))
    assert teyaku is not None
    state.shown, state.reshuffles, state.position = (teyaku, None), 3, 1
    check(state, state.rules.ruleset, 2)
    assert features_of("poka").turned(state) == 3 * 48 + 1


def test_nothing_is_turned_up_in_an_auction() -> None:
    state, found = a_deal(), features_of("oibana")
    assert (found.turned(state), found.last_turned(state)) == (0, -1)
    for amount in (10, 20, 30):
        state.apply(bid(amount))
    assert state.table is not None
    assert found.turned(state) == 0
    state.apply(state.legal_actions()[0])
    assert found.turned(state) == 1
    assert found.last_turned(state) == state.table.pile[0]


@pytest.mark.parametrize(("preset", "seats"), [(name, seats) for name, seats in seatings() if seats in (2, 3)])
def test_what_is_listed_already_is_not_asked_again(preset: str, seats: int) -> None:
    episode = Episode(ruleset(preset), seats)
    episode.begin(seed_of("listed", preset))
    assert episode.course is not None
    state = episode.course.state
    game, listed = game_of(episode.ruleset.game), state.legal_actions()
    some = listed[:1]
    assert game.observe(state, state.seat_to_act).legal == listed
    assert game.observe(state, state.seat_to_act, some).legal is some
    assert game.observe(state, (state.seat_to_act + 1) % seats, some).legal == ()
