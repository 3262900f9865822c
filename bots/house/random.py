"""random: any legal action, all equally likely. The yardstick that every other bot must beat."""

from typing import Any

import hanami


def choose(obs: dict[str, Any]) -> object:
    """One of the legal actions."""
    return hanami.rng.choice(obs["legal"])
