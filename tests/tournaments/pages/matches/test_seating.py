"""Who sits where at a replayed table: right as left in a mirror, two of four across from each other, team mates."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from core.replay.document import Replay
from core.replay.reducer import Place, is_out, position_at
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import opened, replay_of
from tournaments.models import Player

pytestmark = pytest.mark.slow
OFFSETS = "all => all.map((each) => [Number(each.dataset.seat), Number(each.dataset.off)])"
EDGES = """
(seat) => {
  const ends = [".rp-name", ".rp-fig", ".hc"].flatMap((part) => {
    const rights = [...seat.querySelectorAll(part === ".rp-fig" ? ".rp-fig > *" : part)]
      .map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 1).map(({ right }) => right);
    return rights.length ? [Math.max(...rights)] : [];
  });
  return Math.min(...ends) - seat.getBoundingClientRect().right + parseFloat(getComputedStyle(seat).paddingRight);
}
"""
"""How far what a seat shows ends before the right edge of its contents, in pixels (negative)."""
ACROSS = """
(seats) => seats.map((seat) => {
  const style = getComputedStyle(seat), box = seat.getBoundingClientRect();
  const edges = (part, side) => [...seat.querySelectorAll(part)].map((each) => each.getBoundingClientRect())
    .filter(({ width }) => width > 1).map((each) => each[side]);
  const lefts = [".rp-crest", ".rp-fig b", ".rp-hand .hc"].map((part) => edges(part, "left"))
    .filter((all) => all.length);
  const taken = edges(".rp-kinds .hc", "right");
  return [lefts.map((all) => Math.min(...all) - box.left - parseFloat(style.paddingLeft)),
    taken.length ? [box.right - parseFloat(style.paddingRight) - Math.max(...taken)] : []];
})
"""
"""How far plate, figures and hand begin from the left edge of a seat, and captures end from the right, in pixels."""
BESIDE = """
(seats) => seats.map((seat) => {
  const edges = (part, side) => [...seat.querySelectorAll(part)].map((each) => each.getBoundingClientRect())
    .filter(({ width }) => width > 1).map((each) => each[side]);
  const [plate, figure] = [".rp-name", ".rp-fig > *"].map((part) => Math.max(...edges(part, "right")));
  const hand = Math.min(...edges(".rp-hand .hc", "left"));
  const end = seat.getBoundingClientRect().right - parseFloat(getComputedStyle(seat).paddingRight);
  const taken = edges(".rp-kinds .hc", "right");
  return [plate, figure, isFinite(hand) ? hand : plate, taken.length ? end - Math.max(...taken) : 0];
})
"""
"""Where the plate and the figures below it end and the hand beside both begins, if there is one, and how far from the
end of the seat what was captured ends, in pixels.
"""
COVERED = """
(seats) => seats.filter((seat) => {
  const [hand, taken] = [".rp-hand", ".rp-kinds"].map((part) => {
    return [...seat.querySelectorAll(`${part} .hc`)].map((each) => each.getBoundingClientRect());
  });
  return hand.some((card) => taken.some(({ left, right, top, bottom }) => {
    return card.left < right - 3 && left < card.right - 3 && card.top < bottom - 3 && top < card.bottom - 3;
  }));
}).map((each) => each.dataset.seat)
"""
"""Seats whose captured cards and hand lie over each other."""
ON_TOP = """
(piles) => piles.map((pile) => {
  const cards = [...pile.querySelectorAll(".hc")];
  const rights = cards.map((each) => each.getBoundingClientRect().right);
  return cards[rights.indexOf(Math.max(...rights))].matches(".moved");
})
"""
"""Whether the card of a pile that lies on top is one that has just moved."""
BEGINS = """
(seats) => seats.map((seat) => seat.querySelector(".rp-kind").getBoundingClientRect().left
  - seat.querySelector(".rp-name").getBoundingClientRect().right)
"""
"""How far from the end of the name captures begin, in pixels."""
OVER = """
(seat) => {
  const edge = seat.getBoundingClientRect().right;
  const cards = [...seat.querySelectorAll(".rp-tray .hc")].map((each) => each.getBoundingClientRect().right);
  return Math.max(0, ...cards) - edge;
}
"""
"""How far captured cards stand out of their seat, in pixels."""


def playing(replay: Replay, place: Place) -> list[int]:
    """Return the seats that play the deal on."""
    position = position_at(replay, replay.deals[place.deal - 1], place.move)
    return [seat for seat in range(len(replay.sides)) if not is_out(replay, place, position, seat)]


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_who_sits_to_the_right_of_the_field_is_drawn_up_to_the_edge(live_site: str, page: Page, seats: int) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    match = a_finished_match(seats=seats, rounds=1)
    for move in (0, len(replay_of(match).deals[0].moves) // 2):
        opened(page, live_site, match, f"?d=1&m={move}")
        for offset in (1, 2) if seats in (5, 7) else (1,):
            assert abs(page.locator(f'.rp-seat[data-off="{offset}"]').evaluate(EDGES)) <= 3, (move, offset)


def test_above_the_field_of_six_hands_stand_left_and_captures_right(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    match = a_finished_match(seats=6, rounds=1)
    moves = len(replay_of(match).deals[0].moves)
    taken = 0
    for move in (0, moves // 2, moves):
        opened(page, live_site, match, f"?d=1&m={move}")
        for begins, ends in page.locator(".rp-seat:is([data-off='2'], [data-off='3'], [data-off='4'])").evaluate_all(
            ACROSS
        ):
            assert max(begins) <= 4, (move, begins)
            # Below the name once results are shown.
            assert not ends or (abs(ends[0]) <= 4) == (move < moves), (move, ends)
            taken += len(ends)
    assert taken


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_names_above_and_below_the_field_stand_beside_their_cards(live_site: str, page: Page, seats: int) -> None:
    match = a_finished_match(seats=seats, rounds=1)
    moves = len(replay_of(match).deals[0].moves)
    across = {2: ', [data-off="1"]', 4: ', [data-off="2"]'}.get(seats, "")
    for move in (0, moves // 2, moves):
        opened(page, live_site, match, f"?d=1&m={move}")
        ends = page.locator(f":is(.rp-me{across})").evaluate_all(BESIDE)
        assert len(ends) == 1 + bool(across)
        for plate, figure, hand, from_end in ends:
            assert hand - 20 <= plate <= hand, (move, ends)
            assert abs(plate - figure) <= 8, (move, ends)
            assert abs(from_end) <= 2 or move == moves, "captures do not follow the hand, which gets shorter"
        if move == moves:
            told = page.locator(f":is(.rp-me{across}):not(:has(.rp-hand .hc))").evaluate_all(BEGINS)
            assert all(6 <= each <= 30 for each in told), (told, "below results they begin beside the name")


@pytest.mark.parametrize("seats", [5, 6, 7])
def test_beside_the_field_captures_of_many_cover_no_hand(live_site: str, page: Page, seats: int) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    match = a_finished_match(seats=seats, rounds=1)
    for move in range(len(replay_of(match).deals[0].moves) + 1):
        opened(page, live_site, match, f"?d=1&m={move}")
        assert page.locator(".rp-others .rp-seat").evaluate_all(COVERED) == [], move


@pytest.mark.parametrize(("seats", "width"), [(2, 1280), (4, 1280), (4, 360), (6, 360)])
def test_what_has_moved_lies_on_top_of_its_pile(live_site: str, page: Page, seats: int, width: int) -> None:
    """Otherwise its frame would seem to be that of the card which covers it."""
    page.set_viewport_size({"width": width, "height": 800})
    match = a_finished_match(seats=seats, rounds=1)
    piles = 0
    for move in range(1, len(replay_of(match).deals[0].moves) + 1):
        opened(page, live_site, match, f"?d=1&m={move}")
        # Between many on a phone all that a seat captured is one pile.
        pile = ".rp-kinds:has(.moved)" if seats > 4 and width < 720 else ".rp-kind:has(.moved)"
        on_top = page.locator(f".rp-others {pile}").evaluate_all(ON_TOP)
        assert all(on_top), move
        piles += len(on_top)
    assert piles


def test_a_card_that_is_turned_up_and_waits_is_framed(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=6, rounds=6)
    replay = replay_of(match)
    places = ((deal, move) for deal in replay.deals for move in range(1, len(deal.moves)))
    deal, move = next((deal, move) for deal, move in places if position_at(replay, deal, move).up)
    opened(page, live_site, match, f"?d={deal.number}&m={move}")
    shadow = page.locator(".rp-up .hc").evaluate("each => getComputedStyle(each).boxShadow")
    assert shadow.startswith("rgb(255, 255, 255)")


def test_two_of_four_who_play_sit_across_from_each_other(live_site: str, page: Page) -> None:
    """With all hands open; who looks through a seat's eyes keeps that seat at the bottom."""
    match = a_finished_match(seats=4, preset="oibana", rounds=4)
    replay = replay_of(match)
    for deal in replay.deals:
        move = len(deal.moves) // 2
        pair = playing(replay, Place(deal.number, move))
        assert len(pair) == 2
        opened(page, live_site, match, f"?d={deal.number}&m={move}")
        places = dict(page.locator(".rp-seat").evaluate_all(OFFSETS))
        assert {places[seat] for seat in pair} == {0, 2}, deal.number
        watcher = next(seat for seat in range(4) if seat not in pair)
        opened(page, live_site, match, f"?d={deal.number}&m={move}&s={watcher + 1}")
        assert dict(page.locator(".rp-seat").evaluate_all(OFFSETS))[watcher] == 0


@pytest.mark.django_db
def test_who_has_played_all_cards_and_taken_none_still_plays() -> None:
    """A seat without cards watches only where its hand went back into the pile."""
    found = 0
    for _each in range(40):
        replay = replay_of(a_finished_match(seats=7, rounds=12))
        for deal in replay.deals:
            last = Place(deal.number, len(deal.moves))
            position = position_at(replay, deal, last.move)
            found += sum(not tray for tray in position.trays)
            assert playing(replay, last) == list(range(7))
        if found:
            return
    pytest.fail("nobody was left without a card in forty matches")


def test_team_mates_have_one_colour_and_emblems_of_their_own(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=4, rounds=1, teams="2x2")
    opened(page, live_site, match, "#d1m6")
    own = "all => all.map((each) => [each.dataset.team, getComputedStyle(each).getPropertyValue('--own')])"
    pairs = page.locator(".rp-seat").evaluate_all(own)
    assert len(pairs) == 6, "four seats and the trays of two teams"
    assert len({tuple(pair) for pair in pairs}) == 2
    for crests in (".rp-seat .rp-crest use", ".rp-moves .rp-crest use"):
        marks = page.locator(crests).evaluate_all("all => all.map((each) => each.getAttribute('href'))")
        assert len(set(marks)) == 4
    colours = page.locator(".rp-moves li:has(.rp-crest)").evaluate_all(
        "all => all.map((each) => getComputedStyle(each).getPropertyValue('--own'))"
    )
    assert len(set(colours)) == 2


def test_the_sentence_begins_with_the_emblem_of_who_moved(live_site: str, page: Page) -> None:
    """Two of a team may be one bot: their names do not tell who it was. As drawn by the server, and by the script."""
    match = a_finished_match(seats=4, rounds=1, teams="2x2")
    movers = [move.seat for move in replay_of(match).deals[0].moves]
    opened(page, live_site, match, "?d=1&m=1")
    said = page.locator(".rp-words")
    for number, seat in enumerate(movers[:3], 1):
        expect(said.locator("use")).to_have_attribute("href", re.compile(rf"#s{seat}$"))
        own = "(each) => getComputedStyle(each).color"
        plate = page.locator(f'.rp-moves [data-move="{number}"] .rp-crest')
        assert said.locator(".rp-crest").evaluate(own) == plate.evaluate(own)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(said.locator("use")).to_have_count(0)


def test_on_a_phone_captures_of_four_have_their_numbers_inside_their_plates(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=4, rounds=2)
    told = 0
    for deal in replay_of(match).deals:
        for move in range(4, len(deal.moves) + 1, 4):
            opened(page, live_site, match, f"?d={deal.number}&m={move}")
            for seat in page.locator(".rp-others .rp-seat").all():
                assert seat.evaluate(OVER) <= 0, (deal.number, move)
            numbers = page.locator(".rp-kind > span").all()
            for number in numbers:
                expect(number).to_be_visible()
            told += len(numbers)
    assert told


def test_on_a_phone_the_newest_match_has_the_names_of_two_whole(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    for n, player in enumerate(Player.objects.filter(seats__match=match)):
        Player.objects.filter(pk=player.pk).update(name=f"Sampler Guard {n}")
    page.set_viewport_size({"width": 326, "height": 559})
    page.emulate_media(reduced_motion="reduce")
    for move in (0, len(replay_of(match).deals[0].moves) - 1):
        page.goto(f"{live_site}/m/newest/#d1m{move}")
        names = page.locator(".rp-newest .rp-seat .rp-name")
        expect(names).to_have_count(2)
        assert names.evaluate_all("all => all.every((each) => each.scrollWidth <= each.clientWidth)"), move
