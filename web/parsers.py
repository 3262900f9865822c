"""Bodies of JSON: UTF-8 regardless of their headers, and nothing in them that later breaks where it is kept or
shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import IO, Any, Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.utils import json

HALF: Final = re.compile(r"\\u[dD][89a-fA-F]")
"""How half a character is written. Two that belong together are fine, so what holds one is looked at again."""


class Json(JSONParser):
    """JSON (RFC 8259). Raises ParseError, also for a list in a list in a list .. and for halves of characters."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The value."""
        try:
            text = stream.read().decode("utf-8-sig")
            value = json.loads(text, parse_constant=json.strict_constant)
            if HALF.search(text):
                json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise ParseError(_("This is not valid JSON: %(why)s") % {"why": str(error)[:80]}) from error
        return value
