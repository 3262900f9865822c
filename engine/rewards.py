"""What a deal is worth to each seat: its side's result less the mean of the others'. The rewards of a deal sum to 0."""

from __future__ import annotations

from engine.game import Outcome, Ruleset


def rewards_of(outcome: Outcome, ruleset: Ruleset, sides: tuple[int, ...]) -> list[float]:
    """Return the reward of every seat. What counts is points, or victories where those decide a match.

    sides: side of every seat, each of as many seats as the others.
    """
    figures = outcome.victories if ruleset.options.scoring == "victories" else outcome.score
    total, others = sum(figures), len(figures) - 1
    by_side = [figure - (total - figure) / others for figure in figures]
    return [by_side[side] for side in sides]
