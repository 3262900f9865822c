"""For language models: the table as a prompt, the legal moves as text, and the move in an answer.

The three functions have the names of Kaggle's environments. A seat is shown what a bot in its place would be told.
"""

from __future__ import annotations

import re
from typing import Final

from engine.environments.picture import table_lines
from engine.episode import Episode
from engine.game import game_of

_MARKED: Final = re.compile(r"move\s*:\s*`?([^`\n]+)`?", re.IGNORECASE)


def get_legal_moves(episode: Episode) -> dict[str, int]:
    """Return the number of every legal move by its text, in canonical order; empty when the episode is over."""
    return {episode.space.text(number): number for number in episode.choices}


def generate_prompt(episode: Episode) -> str:
    """Return what the seat that decides is asked: its table, what the moves look like, and every legal one.

    Raises ValueError when nobody decides.
    """
    course = episode.course
    if course is None or episode.is_over:
        raise ValueError("nobody decides now")
    game, preset = game_of(episode.ruleset.game), episode.ruleset
    lines = [
        f"You play {game.name} with {episode.seats} seats. The side with the best result wins.",
        "A card is written month.rank, 03.1 for the Curtain of March. `03.3*03.2` plays 03.3 and takes 03.2.",
        f"Rules: {', '.join(f'{name} {value}' for name, value in preset.resolved().items())}",
        "",
        *table_lines(course, episode.seat),
        "",
        "Legal moves:",
        *[f"- {text}" for text in get_legal_moves(episode)],
        "",
        "Answer with one of them on a line of its own, like this:",
        f"Move: {next(iter(get_legal_moves(episode)))}",
    ]
    return "\n".join(lines)


def parse_response(episode: Episode, response: str) -> int | None:
    """Return the number of the legal move that an answer names, None if it names none or several.

    What stands after the last `Move:` counts; without one the answer has to be the move and nothing else.
    """
    moves = get_legal_moves(episode)
    marked = _MARKED.findall(response)
    named = (marked[-1] if marked else response).strip().strip("`*. ")
    return moves.get(named)
