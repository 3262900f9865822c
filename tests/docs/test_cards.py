"""The tables of cards and yaku of the guide are those of the engine."""

from __future__ import annotations

import re

import pytest

from engine.action import FORMS
from engine.cards import CARDS, codes
from engine.games import GAMES
from engine.games.nuki.dekiyaku import DEKIYAKU
from engine.games.sakura.yaku import YAKU
from tests.docs.tables import rows
from tests.services.processes import ROOT

GUIDE = (ROOT / "docs" / "21-cards.md").read_text(encoding="utf-8")


def test_every_card_is_in_the_table() -> None:
    expected = [
        [
            f"`{card.code}`", card.en, card.category, str(card.sakura),
            "–" if card.nuki is None else str(card.nuki), " ".join(card.yaku),
        ]
        for card in CARDS
    ]  # fmt: skip
    assert rows(GUIDE, "## The 48 cards") == expected
    assert [card.code for card in CARDS if not GAMES["nuki"].deck & card.bit] == [
        card.code for card in CARDS if card.month in (4, 5, 7) or card.code in ("12.3", "12.4")
    ]


def cards_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_yaku_is_in_its_table() -> None:
    assert [(cards_in(one)[0], cards_in(cards)) for one, cards in rows(GUIDE, "| Sakura, Oi-bana |")] == [
        (yaku.id, codes(yaku.cards)) for yaku in YAKU
    ]
    assert [(cards_in(one)[0], kan, cards_in(cards)) for one, kan, cards in rows(GUIDE, "| Nuki (dekiyaku) |")] == [
        (made.id, str(made.kan), codes(made.cards)) for made in DEKIYAKU
    ]
    named = {name for row in rows(GUIDE, "| Koi-Koi | made of |") for name in cards_in(row[0])}
    assert named == {each.id for each in GAMES["koikoi"].words.combinations if each.id in named}
    assert len(named) == 14


@pytest.mark.parametrize("kind", FORMS)
def test_every_kind_of_action_is_named(kind: str) -> None:
    assert f"`{kind}`" in GUIDE
