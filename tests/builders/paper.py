"""Paper as a printer makes it: the pages of a PDF as pictures, and the codes on them read as a phone reads them."""

from __future__ import annotations

from typing import Final

import pypdfium2
import zxingcpp

SCALE: Final = 3
"""Pixels a point, 216 a inch: a phone that looks closely."""


def pages_of(pdf: bytes) -> int:
    """Return how many sheets a file has."""
    return len(pypdfium2.PdfDocument(pdf))


def codes_on(pdf: bytes, sheet: int) -> list[str]:
    """Return what the codes on a sheet say, from the top left on. sheet: from 0."""
    picture = pypdfium2.PdfDocument(pdf)[sheet].render(scale=SCALE).to_numpy()
    found = zxingcpp.read_barcodes(picture)
    places = {code.text: (code.position.top_left.y // 100, code.position.top_left.x) for code in found}
    return sorted(places, key=lambda text: places[text])
