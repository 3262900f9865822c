"""Style sheets as they are served."""

from pathlib import Path
from typing import Final

from config.static import OUR_SHEETS, minified

STATIC: Final = Path(__file__).resolve().parents[2] / "static"


def own_sheets() -> list[Path]:
    """Return the files of all our own sheets, in order."""
    return sorted(path for folder in OUR_SHEETS for path in (STATIC / folder).glob("*.css"))


def served_bytes(*names: str) -> int:
    """Return how many bytes these sheets have together when they are served; names as templates write them."""
    return sum(len(minified((STATIC / name).read_text(encoding="utf-8")).encode()) for name in names)
