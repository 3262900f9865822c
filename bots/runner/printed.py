"""The output of a bot as text that can be shown: it comes from a stranger and may be any bytes."""

from __future__ import annotations

import re
from typing import Final

# C0 and C1 controls but for tab and newline (terminals obey escape sequences), and the marks that turn the direction of
# writing, with which a log could be made to read as something else.
CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def readable(data: bytes) -> str:
    """Printed bytes as text: what is no text and what steers a terminal or the direction of writing becomes a sign."""
    return CONTROLS.sub("\N{REPLACEMENT CHARACTER}", data.decode("utf-8", "replace").replace("\r\n", "\n")).strip("\n")
