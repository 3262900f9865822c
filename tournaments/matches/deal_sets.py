"""Rules and seeds of deal sets: the rules of the stage, and the seed of the decks."""

from __future__ import annotations

import json
from uuid import UUID

from engine.deck import match_seed
from engine.game import Ruleset as Rules
from tournaments.models import DealSet, Match, Stage


def rules_of(stage: Stage) -> Rules:
    """Return the stage's ruleset as the engine has it."""
    return Rules.from_json(json.loads(stage.ruleset.canonical))


def rules_at(match: Match) -> Rules:
    """Return the rules that a match is played by: its stage's, of an extra deal for one deal."""
    rules = rules_of(match.stage)
    return rules.one_deal() if match.extra else rules


def seed_of_deals(stage: Stage, deal_set: DealSet, uuid: UUID | None = None) -> bytes:
    """Return the 32 bytes that all its decks follow from; not to be shown before it is revealed.

    uuid: the one it was made under, if it is a copy. No query for a deal set of the secret that the stage has now.
    """
    # A deal set keeps the secret it was made from: after an undone signature the stage draws from another one.
    secret = deal_set.earlier.secret if deal_set.earlier is not None else stage.secret
    # The copy's own uuid is masked, and the seed was made from the original's.
    return match_seed(bytes(secret or b""), bytes(stage.mix or b""), (uuid or deal_set.uuid).bytes)
