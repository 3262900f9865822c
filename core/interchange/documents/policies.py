"""Bounds for an event's policies where pages and folds read them: judged before a copy keeps them."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from core.interchange.errors import refusal

Named = Annotated[str, Meta(max_length=40)]
Number = Annotated[str, Meta(pattern="^[0-9]{1,5}$")]


class Seeding(Struct):
    """The seeding of a stage."""

    by: Named = ""
    hand: list[Named] = []
    ratings: dict[Named, float] = {}


class Report(Struct):
    """Figures that came with a FIDE report."""

    ranks: dict[Named, Annotated[int, Meta(ge=0, le=9999)]] = {}
    hashes: list[Annotated[str, Meta(max_length=80)]] = []
    silent: list[Named] = []


SHAPES: Final[dict[str, Any]] = {
    "pairs": Annotated[list[tuple[Named, Named]], Meta(max_length=200)],
    "tables": dict[Named, Annotated[int, Meta(ge=1, le=99_999)]],
    "seeding": dict[Number, Seeding],
    "excused": dict[Number, dict[Named, dict[Number, Literal["0", "1/2", "1"]]]],
    "report": Report,
    "rated": bool,
    "boards": Annotated[int, Meta(ge=1, le=7)],
    "team_score": Literal["sum", "best", "boards", "meetings"],
    "board_by": Literal["points", "victories"],
    "team_best": Annotated[int, Meta(ge=1, le=7)],
}


def check(policies: dict[str, Any]) -> None:
    """Raise InterchangeError "event.value" at a policy that is not as it is written here."""
    for name, shape in SHAPES.items():
        if name not in policies:
            continue
        try:
            msgspec.convert(policies[name], shape)
        except msgspec.ValidationError as wrong:
            message = "At %(where)s: “%(value)s” is not known here. A newer version of this service may know it."
            raise refusal("event.value", message, where=f"tournament.policies.{name}", value=str(wrong)[:60]) from wrong
