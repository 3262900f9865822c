"""What the parts of an event's document are made of: numbers, words and moments with their bounds."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, Struct

Small = Annotated[int, Meta(ge=0, le=32_767)]
Count = Annotated[int, Meta(ge=0, le=2_147_483_647)]
Whole = Annotated[int, Meta(ge=-2_147_483_648, le=2_147_483_647)]
Moment = Annotated[datetime, Meta(tz=True)]
Key = Annotated[str, Meta(pattern="^[0-9]{1,18}$")]
Slug = Annotated[str, Meta(max_length=60, pattern="^[-a-zA-Z0-9_]*$")]
Word = Annotated[str, Meta(max_length=20)]
Name = Annotated[str, Meta(max_length=60)]
Person = Annotated[str, Meta(max_length=150)]
Line = Annotated[str, Meta(max_length=300)]
Hash = Annotated[str, Meta(pattern="^sha256:[0-9a-f]{64}$")]
HashOrNone = Annotated[str, Meta(pattern="^(sha256:[0-9a-f]{64})?$")]
"""What was committed to, empty before that."""
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Exact = Annotated[str, Meta(max_length=40, pattern="^-?[0-9]{1,18}(/[1-9][0-9]{0,17})?$")]
ExactOrNone = Annotated[str, Meta(max_length=40, pattern="^(-?[0-9]{1,18}(/[1-9][0-9]{0,17})?)?$")]
Json = dict[str, Any]


class Part(Struct, forbid_unknown_fields=True, kw_only=True):
    """One thing of an event."""
