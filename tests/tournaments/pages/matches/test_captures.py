"""What was captured, in a real browser: side by side where there is room, below its count, away from all else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Page

from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import opened, replay_of
from tournaments.models import Player

pytestmark = pytest.mark.slow
BOXES = "all => all.map((each) => each.getBoundingClientRect().toJSON())"
KINDS = """
(all) => all.filter((kind) => kind.checkVisibility()).map((kind) => {
  const boxes = (part) => [...kind.querySelectorAll(part)].map((each) => each.getBoundingClientRect().toJSON());
  return {count: boxes(":scope > span")[0], cards: boxes(".hc").sort((one, other) => one.left - other.left)};
})
"""
"""Of each kind its count and its cards, from left to right."""


@pytest.mark.parametrize("seats", [4, 6])
def test_captures_lie_side_by_side_where_there_is_room(live_site: str, page: Page, seats: int) -> None:
    page.set_viewport_size({"width": 1280, "height": 860})
    match = a_finished_match(seats=seats, rounds=1)
    deal = replay_of(match).deals[0]
    held = len(deal.moves) - seats  # one card in each hand
    opened(page, live_site, match, f"#d1m{held}")
    kinds = page.locator(".rp-me .rp-kind").evaluate_all(KINDS)
    several = [kind["cards"] for kind in kinds if len(kind["cards"]) > 1]
    assert several
    for cards in several:
        assert all(right["left"] - left["left"] >= left["width"] * 0.9 for left, right in pairwise(cards))


@pytest.mark.parametrize("seats", [5, 6, 7])
def test_on_a_phone_counts_of_five_and_more_stand_above_their_kinds(live_site: str, page: Page, seats: int) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=seats, rounds=1)
    moves = len(replay_of(match).deals[0].moves)
    for move in range(2, moves + 1):
        opened(page, live_site, match, f"#d1m{move}")
        for seat in page.locator(".rp-others .rp-seat:has(.rp-kind)").all():
            room = seat.bounding_box()
            assert room
            for kind in seat.locator(".rp-kind").evaluate_all(KINDS):
                cards, count = kind["cards"], kind["count"]
                assert cards[0]["left"] - 2 <= count["left"] <= cards[-1]["right"], move
                assert count["bottom"] <= cards[0]["top"] + 3, move
                assert cards[-1]["right"] <= room["x"] + room["width"] + 1, move


def test_on_a_phone_below_results_of_six_captures_cover_no_figure(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=6, rounds=1)
    opened(page, live_site, match, f"#d1m{len(replay_of(match).deals[0].moves)}")
    plate, figure = (page.locator(f".rp-me {part}").evaluate_all(BOXES)[0] for part in ("h3", ".rp-fig"))
    cards = page.locator(".rp-me .rp-kind .hc").evaluate_all(BOXES)
    assert cards
    assert min(card["left"] for card in cards) >= max(plate["right"], figure["right"])
    assert max(card["right"] for card in cards) <= 360


def test_on_a_phone_the_last_kind_has_its_own_row_once_the_hand_is_played(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=4, preset="oibana", rounds=1)
    opened(page, live_site, match, f"#d1m{len(replay_of(match).deals[0].moves)}")
    kinds = page.locator(".rp-me .rp-kind").evaluate_all(KINDS)
    assert len(kinds) > 2
    assert kinds[-1]["count"]["top"] > kinds[0]["cards"][0]["bottom"] - 3
    assert {kind["cards"][0]["top"] for kind in kinds[:-1]} == {kinds[0]["cards"][0]["top"]}
    assert all(right["left"] - left["left"] >= 12 for left, right in pairwise(kinds[-1]["cards"]))
    figure, bar = (page.locator(part).evaluate_all(BOXES)[0] for part in (".rp-me .rp-fig", ".rp-bar"))
    assert figure["bottom"] <= kinds[0]["cards"][0]["top"] + 1
    assert kinds[-1]["cards"][0]["bottom"] <= bar["top"] + 6


@pytest.mark.parametrize("name", ["Iris", "Sampler Guard"])
@pytest.mark.parametrize("is_over", [False, True])
def test_on_a_phone_both_sides_of_pairs_show_what_they_captured(
    live_site: str, page: Page, name: str, *, is_over: bool
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    match = a_finished_match(seats=4, rounds=3, teams="2x2")
    for n, player in enumerate(Player.objects.filter(seats__match=match)):
        Player.objects.filter(pk=player.pk).update(name=f"{name} {n}")
    deal = replay_of(match).deals[-1]
    assert len(set(deal.total)) == 2, "one side wins"
    opened(page, live_site, match, f"#d3m{len(deal.moves) - (0 if is_over else 4)}")
    trays = [side.locator(".rp-kind").evaluate_all(KINDS) for side in page.locator(".rp-team").all()]
    assert [len(kinds) > 2 for kinds in trays] == [True, True]
    for kinds in trays:
        assert max(card["right"] for kind in kinds for card in kind["cards"]) <= 357
        rows = {round(kind["count"]["top"]) for kind in kinds}
        assert len(rows) == (2 if is_over and name == "Iris" else 1), "the last kind, where results leave the room"
    if not is_over:
        starts = [kinds[0]["cards"][0]["left"] for kinds in trays]
        assert abs(starts[0] - starts[1]) < 1, "from the same line"
        assert starts[0] < 140
    lowest = max(kind["cards"][0]["bottom"] for kinds in trays for kind in kinds)
    assert lowest <= page.locator(".rp-bar").evaluate_all(BOXES)[0]["top"] + 6
