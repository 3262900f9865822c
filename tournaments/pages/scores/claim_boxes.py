"""Boxes of the form of a result: those that a refusal is about, and what they hold when a result is corrected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.errors import DomainError
from tournaments.pages.scores.claim_form import ClaimFields

OF_DEALS_WON = "report.victories_impossible"
OF_A_WINNER = "report.winner_needed"
OF_A_LOSER = "report.opponent_needed"
OF_YAKU = "report.yaku_impossible"


def wrong_boxes(refusal: DomainError | None, fields: ClaimFields) -> frozenset[str]:
    """Return the names of the boxes that a refusal is about; none where it is about none of them.

    A refusal names its box (`extra["field"]`), or a side and a deal from 1 (0, or none: the totals, all sides).
    """
    if refusal is None:
        return frozenset()
    if "field" in refusal.extra:
        return frozenset({str(refusal.extra["field"])})
    deal, side = _number(refusal, "deal"), _number(refusal, "side")
    code = getattr(refusal, "code", "")
    if code in (OF_A_WINNER, OF_A_LOSER):
        return frozenset({f"{'w' if code == OF_A_WINNER else 'l'}{deal}"})
    if code not in (OF_DEALS_WON, OF_YAKU, "report.points_impossible", "report.bids_impossible"):
        return frozenset()
    letter = "won_" if code == OF_DEALS_WON else _letter(code, deal, fields)
    return frozenset(f"{letter}{each}" for each in ([side - 1] if side else range(fields.sides)))


def first_box(refusal: DomainError | None, fields: ClaimFields) -> str:
    """Return the id on the page of the first box that a refusal is about; "" where it is about none."""
    return next((f"f-{name}" for name in sorted(wrong_boxes(refusal, fields))), "")


def _letter(code: str, deal: int, fields: ClaimFields) -> str:
    """Return the beginning of the names of a row of boxes."""
    if not deal:
        return "total_"
    return f"y{deal}_" if code == OF_YAKU else f"b{deal}_" if fields.bids else f"d{deal}_"


def _number(refusal: DomainError, name: str) -> int:
    value = refusal.extra.get(name, 0)
    return value if isinstance(value, int) else 0


def boxes_of(body: Mapping[str, Any], sides: Sequence[int], fields: ClaimFields) -> dict[str, str]:
    """Return what the form holds for a report that counts, so that a correction begins with it. sides: of every seat.

    Deal by deal where the report has its deals and each tells its winner; else totals.
    """
    absent = {sides[each["seat"]] for each in body["forfeits"]}
    found = {f"absent_{side}": "1" for side in absent}
    here = [side for side in range(fields.sides) if side not in absent]
    if len(here) < 2:
        return found
    deals = body.get("by_deal", ())
    if deals and len(deals) <= fields.deals and not fields.bids and not any(map(_is_level, deals)):
        return found | dict(_figures("d", deals, here))
    found |= {f"total_{side}": str(body["score"][side]) for side in here}
    if fields.victories and None not in body["victories"]:
        found |= {f"won_{side}": str(body["victories"][side]) for side in here}
    first = body["rank"].index(1)
    if fields.match_winner and (_is_level(body["score"]) or body["score"][first] < max(body["score"])):
        found["w0"] = str(first)  # a buttakuri: the points do not tell who won
    return found


def _is_level(deal: Sequence[int]) -> bool:
    """Return whether the figures do not tell who won a deal."""
    return any(deal) and list(deal).count(max(deal)) > 1


def _figures(letter: str, deals: Sequence[Sequence[int]], here: Sequence[int]) -> Iterator[tuple[str, str]]:
    for number, deal in enumerate(deals, 1):
        yield from ((f"{letter}{number}_{side}", str(deal[side])) for side in here)
