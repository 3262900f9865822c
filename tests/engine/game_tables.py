"""Everything a game states as data, as JSON: options, presets, forms of actions, combinations, values, what words need.

usage: python -m tests.engine.game_tables    (writes tests/data/engine/tables again; read the difference, then commit)

Rules pages, forms and the SDK are made from these tables, so a slip in one is a wrong rule told to people.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final

from engine.cards import CARDS, NUKI_DECK, codes, parse_cards
from engine.game import game_of
from engine.games import GAMES
from engine.games.koikoi import yaku as koikoi_yaku
from engine.games.nuki import dekiyaku, join
from engine.games.nuki import teyaku as nuki_teyaku
from engine.games.nuki import values as nuki_values
from engine.games.poka import follow
from engine.games.poka import teyaku as poka_teyaku
from engine.games.sakura import deal, yaku

KEPT: Final = Path(__file__).parents[1] / "data" / "engine" / "tables"
PROSE: Final = frozenset({"account", "clauses", "ja", "portrait", "text", "title"})
"""What is edited as text: sentences, introductions, and the paragraphs of rules pages."""
KEYED_PROSE: Final = frozenset({"lines", "phases"})
"""Sentences by key; the keys are kept."""
COMMON: Final = ("id", "name", "seat_range", "deck", "options", "presets", "kinds", "words")
SETS: Final = frozenset({"deck", "cards", "example"})


def plain(value: object, name: str = "") -> Any:
    """A table as JSON has it; sets of cards as codes."""
    if name in SETS and isinstance(value, int):
        return codes(value)
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name), one.name) for one in fields(value) if one.name not in PROSE}
    if isinstance(value, Mapping) and name in KEYED_PROSE:
        return sorted(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, (str, int)) else str(value)


def own_tables(game: str) -> dict[str, object]:
    """The tables that only this game has."""
    if game == "sakura":
        return {"cards": CARDS, "yaku": yaku.YAKU, "chart": deal.DEAL_CHART, "seatings": deal.SEATINGS}
    if game == "nuki":
        values = {code: nuki_values.card_points(parse_cards(code)) for code in codes(NUKI_DECK)}
        return {"teyaku": nuki_teyaku.TEYAKU, "dekiyaku": dekiyaku.DEKIYAKU, "values": values,
                "penalties": (join.FIRST_PENALTY, join.PENALTY_STEP)}  # fmt: skip
    if game == "poka":
        return {"teyaku": poka_teyaku.TEYAKU, "ghosts": codes(follow.GHOSTS),
                "followers": {card.code: codes(follow.FOLLOWERS[card.index]) for card in CARDS}}  # fmt: skip
    if game == "koikoi":
        groups = {"brights": koikoi_yaku.BRIGHTS, "animals": koikoi_yaku.ANIMALS, "ribbons": koikoi_yaku.RIBBONS,
                  "chaff": koikoi_yaku.CHAFF}  # fmt: skip
        return {"yaku": koikoi_yaku.IDS, **{name: codes(cards) for name, cards in groups.items()}}
    return {}


def tables(name: str) -> Any:
    """All tables of a game."""
    game = game_of(name)
    common = {key: getattr(game, key) for key in COMMON}
    return {key: plain(value, key) for key, value in {**common, **own_tables(name)}.items()}


def main() -> None:
    """Keep what the tables say today."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        text = json.dumps(tables(name), indent=1, ensure_ascii=False)
        (KEPT / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
