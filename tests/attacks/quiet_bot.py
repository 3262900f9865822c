"""A bot without any intent: played before and after each attack."""

from typing import Any


def choose(obs: dict[str, Any]) -> int:
    return 0
