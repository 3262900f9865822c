"""What an event says of its decks: the seeds that were committed to, and secrets that were shown before the end."""

from __future__ import annotations

from uuid import UUID

from core.interchange.event_words import Hash, Hex, Moment, Part, Small


class DealSet(Part, omit_defaults=True):
    """One seed, committed to in `commit`; shown once all its legs are done.

    earlier: the number of the stage's earlier secret that it was made from, if not from the one it has now.
    """

    uuid: UUID
    commit: Hash
    created_at: Moment
    revealed_at: Moment | None
    seed: Hex | None
    earlier: Small | None = None


class EarlierSecret(Part):
    """A secret that was shown although the stage then went on: its decks were made from it. number: from 1."""

    number: Small
    secret: Hex
    commitment: Hash
    revealed_at: Moment
