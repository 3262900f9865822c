"""Words are put together as the reader's language does it."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from accounts.phrasing import colon, decimal, in_turn, labelled, listed, sentence

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("A, B, C", "A; B", "Deal 2: A", ": ", "A.", "\u22122.5")),
        ("fr", ("A, B, C", f"A{SPACE}; B", f"Deal 2{SPACE}: A", f"{SPACE}: ", "A.", "\u22122,5")),
        ("ja", ("A、B、C", "A。B", "Deal 2：A", "：", "A。", "\u22122.5")),
    ],
)
def test_each_language_has_its_own_signs(language: str, said: tuple[str, ...]) -> None:
    with override(language):
        found = (listed("ABC"), in_turn("AB"), labelled("Deal 2", "A"), colon(), sentence("A"), decimal(-2.5, 3))
    assert found == said


def test_none_and_one_need_no_sign_and_signs_of_formats_are_left_alone() -> None:
    assert (listed([]), listed([3]), in_turn(["100 %(one)s"])) == ("", "3", "100 %(one)s")
    assert listed(["%(other)s", "%s"]) == "%(other)s, %s"
    assert [decimal(value, 1) for value in (-32.5, 4.0, 0.04)] == ["\u221232.5", "4", "0"]
