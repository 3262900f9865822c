"""Order of comparison in a stage: the first key, then the tie-breaks that the organiser chose, and nothing else.

In the first edition of the rules what is now proposed stood between the two without being shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from core.standings.model import Scoring

FIRST: Final[Mapping[Scoring, str]] = {
    Scoring.CUMULATIVE: "points",
    Scoring.ROUND_VICTORY: "victories",
    Scoring.PLACE: "place",
}
"""The first key of a stage: units given and taken count in it, and `StageEntry.carry_in` is of it."""
PROPOSED: Final[Mapping[Scoring, tuple[str, ...]]] = {
    Scoring.CUMULATIVE: ("victories",),
    Scoring.ROUND_VICTORY: ("points", "vshare"),
    Scoring.PLACE: (),
}
"""The keys that tell equals apart where nobody has chosen."""
BY_BOARDS: Final = ("boards", "meetings")
"""Scores of teams in which a board is worth its place share: 1, 1/2 or 0 at two seats."""


def keys_for(scoring: Scoring, team_score: str = "", *, teams_meet: bool = False) -> tuple[str, ...]:
    """Return the first key, and those proposed after it.

    team_score: of teams whose members sit apart, "" where there are none. teams_meet: all boards of one team against
    all boards of another.
    """
    if team_score not in BY_BOARDS:
        return (FIRST[scoring], *PROPOSED[scoring])
    if not teams_meet:
        return ("place",)
    return ("meetings", "place") if team_score == "meetings" else ("place", "meetings")


def in_order(keys: tuple[str, ...], chosen: Iterable[str], edition: int) -> tuple[str, ...]:
    """Return the ids that are compared, each once. keys: of `keys_for`."""
    return tuple(dict.fromkeys((*(keys if edition == 1 else keys[:1]), *chosen)))
