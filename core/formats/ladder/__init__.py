"""Pods without rounds: a continuous ladder, and a gauntlet of one candidate against anchors. See README.md."""

from core.formats.ladder.continuous import NEAR, UNSURE, Contender, Ladder, LadderPod
from core.formats.ladder.gauntlet import ANCHORS, Gauntlet, GauntletPod

__all__ = ["SAID", "Contender", "Gauntlet", "GauntletPod", "Ladder", "LadderPod"]

REASON_TEXTS = (UNSURE, NEAR, ANCHORS)
"""The sentences that pods are explained with: English msgids."""
