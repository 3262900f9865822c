"""Style sheets as they are served."""

import re
from pathlib import Path
from typing import Final

from config.static import OUR_SHEETS, minified

STATIC: Final = Path(__file__).resolve().parents[2] / "static"
FILE: Final = re.compile(r'url\(["\']?(?!data:|#)')
HASH: Final = ".0123456789ab"
"""What the name of a file in a sheet grows by when it is served."""


def own_sheets() -> list[Path]:
    """Return the files of all our own sheets, in order."""
    return sorted(path for folder in OUR_SHEETS for path in (STATIC / folder).glob("*.css"))


def served_bytes(*names: str) -> int:
    """Return how many bytes these sheets have together when they are served; names as templates write them."""
    sheets = [minified((STATIC / name).read_text(encoding="utf-8")) for name in names]
    return sum(len(sheet.encode()) + len(HASH) * len(FILE.findall(sheet)) for sheet in sheets)
