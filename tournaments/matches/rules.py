"""The rules that a stage and its matches are played by."""

from __future__ import annotations

import json

from engine.game import Ruleset as Rules
from tournaments.models import Match, Stage


def rules_of(stage: Stage) -> Rules:
    """The stage's ruleset as the engine has it."""
    return Rules.from_json(json.loads(stage.ruleset.canonical))


def rules_at(match: Match) -> Rules:
    """The rules that a match is played by: its stage's, of an extra deal for one deal."""
    rules = rules_of(match.stage)
    return rules.one_deal() if match.extra else rules
