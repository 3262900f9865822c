"""The module that a bot imports as `hanami`: standard library and engine only. See docs/02-write-your-first-bot.md.

`read`, `asset` and `rng` belong to one bot in one match: the sandbox makes a fresh `hanami` for it (`module_for`).
"""

from __future__ import annotations

import sys
from types import ModuleType

from bots.sdk.answer import NO_SUCH_ACTION, index_of
from bots.sdk.customs import SPOKEN, custom, customary
from bots.sdk.session import Session
from bots.sdk.tables import (
    ALL,
    CODES,
    GAJI,
    MONTH_MASKS,
    MONTH_OF,
    VALUES,
    YAKU,
    YAKU_OF,
    CardSet,
    code_of,
    codes,
    members,
    parse_cards,
    points,
    values_of,
    yaku_of,
)
from bots.sdk.view import Policy, View
from engine.action import Action
from engine.errors import NoWorld
from engine.game import Outcome, State

_session = Session()
rng = _session.rng
read = _session.read
asset = _session.asset

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


def module_for(session: Session) -> ModuleType:
    """The module `hanami` of one bot: everything of this package, with `read`, `asset` and `rng` of its session."""
    module = ModuleType("hanami", __doc__)
    package = sys.modules[__name__]
    for name in __all__:
        setattr(module, name, getattr(package, name))
    own = {"read": session.read, "asset": session.asset, "rng": session.rng, "__all__": list(__all__)}
    module.__dict__.update(own)
    return module
