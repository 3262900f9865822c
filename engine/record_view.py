"""The part of a document that people look at: every card's way, engine events, score lines. Source: site.md 3."""

from __future__ import annotations

from collections.abc import Sequence

from engine.action import Action
from engine.cards import CODES
from engine.course import DealLog
from engine.game import Json, Played, Step, game_of
from engine.match import Match


def build_view(match: Match, *, preset: str, ms: Sequence[Sequence[int]] | None) -> Json:
    """The view of a match. Names, bots and seed are null until somebody serves it; so is `ms` if it was not measured.

    Deals hold `ev0` beside `fx0`: the engine events of the setup.
    """
    deals: list[Json] = []
    totals = [0] * match.side_count
    for log in match.deals:
        times = ms[log.number - 1] if ms is not None and log.number <= len(ms) else ()
        totals = list(log.totals) or totals
        deals.append(_deal(match, log, times, totals))
    nobody: list[str | None] = [None] * match.seats
    return {"preset": preset, "names": nobody, "bots": list(nobody), "seed": None, "deals": deals}


def _deal(match: Match, log: DealLog, times: Sequence[int], totals: list[int]) -> Json:
    game = game_of(match.ruleset.game)
    return {
        "mult": log.mult,
        "fx0": [_step(step) for step in log.dealt.steps],
        "ev0": list(log.dealt.notes),
        "moves": [
            _move(number, seat, action, played, times[number - 1] if number <= len(times) else None)
            for number, ((seat, action), played) in enumerate(zip(log.moves, log.played, strict=True), start=1)
        ],
        "lines": game.lines(match.ruleset.options, log.outcome) if log.outcome else [],
        "total": totals,
    }


def _move(number: int, seat: int, action: Action, played: Played, milliseconds: int | None) -> Json:
    move: Json = {"by": f"p{seat}", **action.to_json()}
    if move.get(action.kind) is True:
        move[action.kind] = 1
    if "flip" in played.event:
        move["flip"] = played.event["flip"]
    return {
        "m": number,
        "a": move,
        "ms": milliseconds,
        "fx": [_step(step) for step in played.steps],
        "ev": list(played.notes),
    }


def _step(step: Step) -> list[str]:
    return [CODES[step.card], step.source, step.target]
