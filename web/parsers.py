"""JSON bodies: UTF-8 regardless of their headers, without anything that fails later where it is stored or shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isinf
from typing import IO, Any, Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.utils import json

HALF: Final = re.compile(r"\\u[dD][89a-fA-F]")
"""The notation of half a character (a surrogate). Two that belong together are fine, so a text with one is looked at
again.
"""


class Json(JSONParser):
    """JSON (RFC 8259). Raises ParseError, also for lists nested too deep and for halves of characters."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value."""
        try:
            # `-sig`: some programs begin a file with a byte order mark, which JSON does not allow and everybody reads.
            text = stream.read().decode("utf-8-sig")
            value = json.loads(text, parse_constant=json.strict_constant, parse_float=_finite)
            if HALF.search(text):
                # Half a character cannot be encoded: PostgreSQL would refuse it later, as a 500.
                json.dumps(value, ensure_ascii=False).encode()
        # RecursionError: a few kilobytes of `[` are deeper than the interpreter's stack.
        except (ValueError, RecursionError) as error:
            raise ParseError(_("This is not valid JSON: %(why)s") % {"why": str(error)[:80]}) from error
        return value


def _finite(digits: str) -> float:
    """Return a number. Raises ValueError for one that is too large to be kept: Python reads 1e999 as infinity."""
    found = float(digits)
    if isinf(found):
        raise ValueError(digits)
    return found
