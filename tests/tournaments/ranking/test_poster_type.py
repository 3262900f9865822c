"""The size of type of a poster: as large as one sheet allows, never below what is read from two metres."""

from __future__ import annotations

import pytest

from tournaments.pages.ranking.poster_type import SCALES, SHEETS, SPACES, PosterLine, has_fan, scale_of, space_of


def people(number: int, name: str = "Aiko", below: str = "") -> list[PosterLine]:
    return [PosterLine(place, name, below) for place in range(1, number + 1)]


@pytest.mark.parametrize("paper", SHEETS)
def test_fewer_people_have_larger_type(paper: str) -> None:
    scales = [scale_of(paper, "Spring", people(number)) for number in (3, 8, 14, 200)]
    assert scales == sorted(scales, reverse=True)
    assert scales[0] > 2 * scales[-1]
    assert scales[-1] == SCALES[0]


def test_cards_stand_above_only_where_the_names_leave_room() -> None:
    assert has_fan("a4", "Spring", people(8))
    assert not has_fan("a4", "Spring", people(40))


def test_long_names_and_clubs_keep_type_small() -> None:
    few = scale_of("a4", "Spring", people(8))
    assert scale_of("a4", "Spring", people(8, "Aiko Tanaka of Kyoto")) < few
    assert scale_of("a4", "Spring", people(8, "花札" * 30)) == SCALES[0]
    assert scale_of("a4", "Spring", people(8, below="Lyon")) < few
    assert scale_of("a4", "Spring", []) in SCALES
    beside = [PosterLine(line.place, "Aiko Tanaka", beside=5) for line in people(8)]
    assert scale_of("a4", "Spring", beside) < scale_of("a4", "Spring", people(8, "Aiko Tanaka")), "wide figures"
    names = people(4, "Benjamin Durand of Lyon")
    assert space_of("a4", "Spring", names, scale_of("a4", "Spring", names)) > SPACES[0]
    assert space_of("a4", "Spring", people(200), SCALES[0]) == SPACES[0]
