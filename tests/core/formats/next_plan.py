"""The next round alone, as tests ask for it."""

from __future__ import annotations

from typing import Any

from core.formats import schedule
from core.formats.errors import FormatError
from core.formats.model import Plan


def plan(*args: Any, **kwargs: Any) -> Plan:
    """The next round. Raises as `schedule`, and FormatError "rounds.over" after the last one."""
    plans = schedule(*args, **kwargs)
    if not plans:
        raise FormatError("all rounds are drawn", code="rounds.over")
    return plans[0]
