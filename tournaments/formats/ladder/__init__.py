"""Pods without rounds: a continuous ladder, and a gauntlet of one candidate against anchors. See README.md."""

from tournaments.formats.ladder.continuous import Contender, Ladder, LadderPod
from tournaments.formats.ladder.gauntlet import Gauntlet, GauntletPod

__all__ = ["Contender", "Gauntlet", "GauntletPod", "Ladder", "LadderPod"]
