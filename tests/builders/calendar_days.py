"""Days of the next year, for events that begin then: a date written into a test would one day be too far or over."""

from datetime import UTC, date, datetime, timedelta
from typing import Final

NEXT_YEAR: Final = datetime.now(UTC).year + 1
_MARCH_ENDS: Final = date(NEXT_YEAR, 3, 31)
SKIPPED: Final = _MARCH_ENDS - timedelta(days=_MARCH_ENDS.isoweekday() % 7)
"""The last Sunday of March, whose hour from two to three the clocks of Europe skip."""
