"""Matches told in full, as they are kept in tests/data/engine/told: what bots, replays and records are given.

usage: python -m tests.engine.transcripts    (writes them all again; read the difference before you commit it)

Cards and moves depend on the number of a case; together the few matches hold every event, step and line there is that
was found in some 1,500 random ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from engine.action import Action
from engine.game import OptionValue
from engine.games import ruleset
from engine.match import Match
from engine.notation import format_move
from engine.record_view import build_view
from tests.engine.worlds import seed_of

TOLD: Final = Path(__file__).parents[1] / "data" / "engine" / "told"
LOOKS: Final = 11
"""One in that many decisions is told with the observations of all seats."""


class Case(NamedTuple):
    """A match: the preset with options changed, how many play, and the number that its cards and moves depend on."""

    preset: str
    seats: int
    number: int
    options: dict[str, OptionValue]

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.preset}-{self.seats}-{self.number}"


def cases() -> tuple[Case, ...]:
    """Those that are kept: each file names its own."""
    kept = (json.loads(path.read_text(encoding="utf-8"))["case"] for path in sorted(TOLD.glob("*.json")))
    return tuple(Case(case["preset"], case["seats"], case["number"], case["options"]) for case in kept)


def write(case: Case) -> None:
    """Keep what is told of a match today: a line for each event, look and deal."""
    whole = told(case)
    parts = [f'"case":{_line(whole.pop("case"))}']
    parts += [f'"{name}":[\n' + ",\n".join(map(_line, items)) + "\n]" for name, items in whole.items()]
    TOLD.mkdir(parents=True, exist_ok=True)
    (TOLD / f"{case.name}.json").write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def seen(match: Match, seat: int) -> dict[str, Any]:
    """The observation of a seat without what is told elsewhere."""
    whole = match.observation(seat, match_id="told", preset="told", since=match.event_count, ms_left=0)
    return {key: value for key, value in whole.items() if key not in ("v", "match", "preset", "ms_left", "since")}


def choose(match: Match, dice: Random) -> Action:
    """Any legal action; of the many bids a low one, so that they meet."""
    legal = match.legal_actions()
    return dice.choice(legal[:4] if legal[0].kind == "bid" else legal)


def play(case: Case) -> tuple[Match, list[dict[str, Any]]]:
    """The match played to its end, and what the seats saw now and then."""
    match, dice = (
        Match(ruleset(case.preset, **case.options), case.seats, seed_of("told", *case[:3])),
        Random(case.number),
    )
    looks: list[dict[str, Any]] = []
    while not match.is_over:
        action = choose(match, dice)
        if match.moves_total % LOOKS == 0:
            looks.append({"before": format_move(match.seat_to_act, action),
                          "seats": [seen(match, seat) for seat in range(case.seats)]})  # fmt: skip
        match.apply(action)
    looks.append({"before": "", "seats": [seen(match, seat) for seat in range(case.seats)]})
    return match, looks


def told(case: Case) -> dict[str, Any]:
    """All that is told of the match, as JSON has it."""
    match, looks = play(case)
    orders = [[list(order) for order in log.orders] for log in match.deals]
    whole = {
        "case": {"preset": case.preset, "seats": case.seats, "number": case.number, "options": case.options},
        "events": match.events,
        "looks": looks,
        "orders": orders,
        "view": build_view(match, preset=case.preset, ms=None)["deals"],
    }
    found: dict[str, Any] = json.loads(json.dumps(whole))
    return found


if __name__ == "__main__":
    for again in cases():
        write(again)
