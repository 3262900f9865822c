"""Names of all scripts are taken; what nobody can see is not."""

from __future__ import annotations

import pytest

from core.printable import is_printable, without_hidden

FAMILY = "👨\u200d👩\u200d👧"


@pytest.mark.parametrize(
    "name",
    ["Aiko", "می\u200cخواهم", "क्\u200dष", "ශ්\u200dරී", FAMILY, f"Club {FAMILY} 2", "❤️\u200d🔥", "👩🏽\u200d💻", "花子"],
)
def test_names_of_all_scripts_are_printable(name: str) -> None:
    assert is_printable(name)
    assert without_hidden(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "Ai\u200dko",
        "Ai\u200cko",
        "\u200dAiko",
        "می\u200c",
        "می\u200c خ",
        "می\u200c\u200cخ",
        "a\u202eb",
        "a\u2068b",
        "a\u200bb",
        "a\tb",
        "דן\u200dה",
        "花\u200d子",
    ],
)
def test_what_nobody_can_see_is_not(name: str) -> None:
    assert not is_printable(name)
