"""Whole numbers of a small unit, as people write and read them."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Final

from django.utils.formats import number_format

MINUS: Final = "\u2212"


def shown(value: int, unit: int) -> str:
    """Return value / unit in the reader's language without needless zeros: `shown(750, 100)` is "7.5". unit: 10^n."""
    places = len(str(unit)) - 1
    while places and value % 10 == 0:
        value, unit, places = value // 10, unit // 10, places - 1
    return str(number_format(Decimal(value) / unit, places, use_l10n=True)).replace("-", MINUS)


def read(text: str, unit: int) -> int:
    """Return a number that a person wrote, as a whole number of units. Raises ValueError for what is none, or is finer.

    A comma is a decimal point.
    """
    try:
        value = Decimal(text.strip().replace(",", ".")) * unit
    except InvalidOperation as refused:
        raise ValueError(text) from refused
    if not value.is_finite() or value != value.to_integral_value() or abs(value) > 10**12:
        raise ValueError(text)
    return int(value)
