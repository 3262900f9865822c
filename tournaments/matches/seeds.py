"""The seed of a deal set: from the stage's secret, or from the one that it had when the deal set was made."""

from __future__ import annotations

from uuid import UUID

from engine.deck import match_seed
from tournaments.models import DealSet, Stage


def seed_of_deals(stage: Stage, deal_set: DealSet, uuid: UUID | None = None) -> bytes:
    """32 bytes that all its decks follow from; not to be shown before it is revealed.

    uuid: the one it was made under, if it is a copy. No query for a deal set of the secret that the stage has now.
    """
    secret = deal_set.earlier.secret if deal_set.earlier is not None else stage.secret
    return match_seed(bytes(secret or b""), bytes(stage.mix or b""), (uuid or deal_set.uuid).bytes)
