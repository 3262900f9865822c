"""The captured cards that a still of a replay shows."""

from tournaments.pages.site.still import BEST, _best

MONTHS = ("01", "02", "03")
CARDS = tuple(f"{month}.{n}" for month in MONTHS for n in range(1, 5))


def test_all_that_has_just_moved_is_shown_and_else_the_most_valuable() -> None:
    """A whole month from the hand and two by the card that was turned up are six."""
    moved = frozenset(["01.1", "01.2", "01.3", "01.4", "02.3", "02.4"])
    assert _best(CARDS, "sakura", moved) == tuple(sorted(moved))
    few = frozenset(["03.4", "03.3"])
    assert few < set(_best(CARDS, "sakura", few))
    assert len(_best(CARDS, "sakura", few)) == BEST
    assert _best(CARDS[:2], "sakura", frozenset()) == CARDS[:2]
