"""A match that is being played, as the replay has it (`core.replay`): only what everybody is told.

Events come from what the engine tells every seat, never from its notes for the archive: those may name cards that
nobody has seen (the order of a pile that was shuffled again).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from core.replay.document import Deal, Effect, Line, Move, Replay, read_events, told_apart
from engine.action import Action
from engine.cards import CODES, members
from engine.course import DealLog
from engine.game import Played, game_of
from engine.match import Match

RECENT: Final = 2
"""Deals of which the moves are told: the present one and the one before."""


def replay_of(match: Match, seat: int, names: Sequence[str], *, match_id: str, preset: str) -> Replay:
    """Return a match so far with the moves that a seat is told of (-1: those who watch), numbered by these alone.

    Cards of hands and pile are in it: mask what is shown to somebody (`masks`).
    """
    deals = [_deal(match, log, seat, is_recent=log.number > match.deal - RECENT) for log in match.deals]
    result = match.result() if match.is_over else None
    deck = game_of(match.ruleset.game).deck
    return Replay(
        match=match_id,
        preset=preset,
        game=match.ruleset.game,
        options=match.ruleset.resolved(),
        sides=tuple(match.sides),
        names=told_apart(names, match.sides),
        deals=tuple(deals),
        forfeits=tuple(forfeit.to_json() for forfeit in match.forfeits),
        score=tuple(match.totals),
        victories=tuple(match.victories),
        rank=result.rank if result else (),
        end=result.end if result else "",
        deck=deck.bit_count(),
        cards=tuple(CODES[card] for card in members(deck)),
    )


def _deal(match: Match, log: DealLog, seat: int, *, is_recent: bool) -> Deal:
    outcome = log.outcome
    lines: list[Any] = game_of(match.ruleset.game).lines(match.ruleset.options, outcome) if outcome else []
    return Deal(
        number=log.number,
        dealer=log.dealer,
        # Of the first deal always: how it was dealt says whether the game is played onto a discard pile.
        start=_effects(log.dealt) if is_recent or log.number == 1 else (),
        events=read_events(_events(log.dealt)) if is_recent else (),
        moves=_moves(log, seat) if is_recent else (),
        lines=tuple(Line(row["side"], row["code"], row["v"], row.get("yaku"), row.get("by")) for row in lines),
        score=tuple(outcome.score) if outcome else (),
        total=tuple(log.totals),
        victories=tuple(outcome.victories) if outcome else (),
        winner=outcome.winner if outcome else None,
        mult=log.mult,
    )


def _moves(log: DealLog, seat: int) -> tuple[Move, ...]:
    known = [row for row in zip(log.moves, log.played, strict=True) if is_told(*row, seat)]
    return tuple(
        Move(
            number=number,
            seat=by,
            action=action.to_json(),
            flip=_flip(played),
            effects=_effects(played),
            events=read_events(_events(played)),
            ms=None,
        )
        for number, ((by, action), played) in enumerate(known, start=1)
    )


def is_told(move: tuple[int, Action], played: Played, seat: int) -> bool:
    """Return whether a seat is told of a move: a decision that would betray a hand has no event for the others."""
    return bool(played.event) or move[0] == seat


def told(match: Match, seat: int) -> list[int]:
    """Return how many moves of each deal a seat is told of."""
    logs = [(log.moves, log.played) for log in match.deals]
    return [sum(is_told(*row, seat) for row in zip(moves, played, strict=True)) for moves, played in logs]


def _flip(played: Played) -> str | None:
    found = played.event.get("flip")
    return str(found) if found is not None else None


def _effects(played: Played) -> tuple[Effect, ...]:
    return tuple(Effect(CODES[step.card], step.source, step.target) for step in played.steps)


def _events(played: Played) -> list[Any]:
    found: Any = played.event.get("ev", [])
    return list(found)
