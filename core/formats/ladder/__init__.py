"""Pods without rounds: a continuous ladder, and a gauntlet of one candidate against anchors. See README.md."""

from core.formats.ladder.continuous import NEAR, NEW, UNSURE, Contender, Ladder, LadderPod
from core.formats.ladder.gauntlet import ANCHORS, Gauntlet, GauntletPod

__all__ = ["REASON_TEXTS", "Contender", "Gauntlet", "GauntletPod", "Ladder", "LadderPod"]

REASON_TEXTS = (NEW, UNSURE, NEAR, ANCHORS)
"""The sentences that pods are explained with: English msgids."""
