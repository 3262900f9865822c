"""`import hanami` at home: what the sandbox gives a bot, so that its file can be run by tests and read by editors.

In the sandbox this module is not used: there each bot gets a `hanami` of its own (bots/sdk).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bots.sdk import (
    ALL,
    CODES,
    GAJI,
    MONTH_MASKS,
    MONTH_OF,
    NO_SUCH_ACTION,
    SPOKEN,
    VALUES,
    YAKU,
    YAKU_OF,
    Action,
    CardSet,
    NoWorld,
    Outcome,
    Policy,
    Session,
    State,
    View,
    code_of,
    codes,
    custom,
    customary,
    index_of,
    members,
    module_for,
    parse_cards,
    points,
    rng,
    values_of,
    yaku_of,
)

__all__ = [
    "ALL",
    "CODES",
    "GAJI",
    "MONTH_MASKS",
    "MONTH_OF",
    "NO_SUCH_ACTION",
    "SPOKEN",
    "VALUES",
    "YAKU",
    "YAKU_OF",
    "Action",
    "CardSet",
    "NoWorld",
    "Outcome",
    "Policy",
    "Session",
    "State",
    "View",
    "asset",
    "code_of",
    "codes",
    "custom",
    "customary",
    "index_of",
    "members",
    "module_for",
    "parse_cards",
    "points",
    "read",
    "rng",
    "values_of",
    "yaku_of",
]


def read(obs: Mapping[str, Any]) -> View:
    """The typed view of one observation on its own: of its history it knows what is in its `since`."""
    return Session().read(obs)


def asset(path: str) -> bytes:
    """The bytes of a file beside the bot, as it would be uploaded: looked for in the present folder.

    Raises FileNotFoundError.
    """
    return Path(path).read_bytes()
