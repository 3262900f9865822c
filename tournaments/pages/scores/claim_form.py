"""Form of a result as it is sent.

Totals (`total_0`, `won_0`: of side 0), or deal by deal: points (`d1_0`), in Sakura the yaku that were made (`y1_0Ho`
ticked, or `y1_0` written), in Oi-bana bids (`b1_0`) and the margin (`m1`); `w1`, `l1`: who won and who lost a deal
where the figures do not tell; `w0`: who won the match, beside totals. `absent_0`: did not come.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.replay.book import IROHA
from engine.game import Ruleset
from tournaments.matches.bounds import sheet_of
from tournaments.matches.report_bodies import Claim

# Phones and Japanese keyboards write a minus in several ways.
MINUS: Final = str.maketrans({"−": "-", "–": "-", "－": "-", "‒": "-"})
# More than any game can score, and every number of them fits an integer of the database.
DIGITS: Final = 9
MAX_BOXES: Final = 100
"""Figures deal by deal at most; a match with more of them is reported by its totals alone."""
MAX_TICKS: Final = 400
"""Boxes to tick at most, so that the page stays light; with more of them yaku are written."""
BETWEEN: Final = re.compile(r"[\s,;/+]+")


@dataclass(frozen=True, slots=True)
class ClaimFields:
    """Fields of a form: how many sides; deals to fill in (0: totals only); whether deals won are asked for.

    empty: sides at which nobody sits, so that there is nothing to ask. yaku: ids of those that can be made.
    bids: in place of points, with the `margin` where it multiplies what is paid. as_totals: the one deal is the match.
    pays: the figures are won and paid, 0 in all. match_winner: who won is asked for, since points may not tell.
    names: of the sides, as far as refusals are to name them.
    """

    sides: int
    deals: int
    victories: bool
    empty: tuple[int, ...] = ()
    yaku: tuple[str, ...] = ()
    bids: bool = False
    margin: bool = False
    as_totals: bool = False
    pays: bool = False
    match_winner: bool = False
    names: tuple[str, ...] = ()

    @property
    def numbers(self) -> range:
        """Return the numbers of the deals."""
        return range(1, self.deals + 1)

    @property
    def has_ticks(self) -> bool:
        """Return whether yaku are ticked; else they are written."""
        return self.sides * self.deals * len(self.yaku) <= MAX_TICKS


def fields_for(rules: Ruleset, sides: int, empty: Iterable[int] = (), names: Iterable[str] = ()) -> ClaimFields:
    """Return what the form of a match under these rules asks for. empty: sides at which nobody sits; names: of all
    sides.
    """
    sheet, by_deals, options = sheet_of(rules), rules.options.scoring == "victories", rules.options
    deals = sheet.deals_in_match(options)
    bids, yaku = sheet.asks_bids, sheet.ticked(options)
    single = deals == 1 and not by_deals
    shown = deals if deals * sides <= MAX_BOXES and (not single or yaku or bids) else 0
    return ClaimFields(
        sides,
        shown,
        by_deals and deals > 1,
        tuple(empty),
        yaku if shown else (),
        bids=bids and bool(shown),
        margin=sheet.asks_margin(options),
        as_totals=single,
        pays=sheet.is_ledger,
        match_winner=sheet.asks_winner(options),
        names=tuple(names),
    )


def read_version(given: Mapping[str, str]) -> int | None:
    """Return the version of a report that a form names; None where it names none."""
    version = given.get("version", "")
    return int(version) if version.isdecimal() and len(version) < 6 else None


def read_claim(data: Mapping[str, str], fields: ClaimFields, *, complete: bool = True) -> Claim:
    """Return the claim of a form. Deals count as soon as one of them is filled in.

    Raises TournamentError "report.not_a_number" (extra: field), "report.empty".
    """
    absent = tuple(side for side in range(fields.sides) if data.get(f"absent_{side}") or side in fields.empty)
    claim = Claim(absent=absent, complete=complete)
    letter = "b" if fields.bids else "d"
    numbers = [n for n in fields.numbers if any(_given(data, f"{letter}{n}_{s}") for s in range(fields.sides))]
    # Deals before totals: who filled in deals may have left totals from an earlier try.
    if numbers:
        return _deal_by_deal(data, fields, claim, numbers)
    # A walk-over has no figures.
    if fields.sides - len(absent) < 2:
        return claim
    victories = _row(data, "won_", fields, absent) if fields.victories else None
    winners = (_side(data, "w0", fields),) if fields.match_winner else ()
    return replace(claim, totals=_row(data, "total_", fields, absent), victories=victories, winners=winners)


def _deal_by_deal(data: Mapping[str, str], fields: ClaimFields, claim: Claim, numbers: list[int]) -> Claim:
    letter = "b" if fields.bids else "d"
    deals = tuple(_row(data, f"{letter}{number}_", fields, claim.absent) for number in numbers)
    winners = tuple(_side(data, f"w{number}", fields) for number in numbers)
    if fields.bids:
        losers = tuple(_side(data, f"l{number}", fields) for number in numbers)
        margins = tuple(_number(data, f"m{number}") if fields.margin and any(bids) else 0
                        for number, bids in zip(numbers, deals, strict=True))  # fmt: skip
        return replace(claim, bids=deals, winners=winners, losers=losers, margins=margins)
    made = tuple(tuple(yaku_of(data, fields, number, side) for side in range(fields.sides)) for number in numbers)
    yaku = made if any(any(deal) for deal in made) else ()
    if fields.as_totals:
        return replace(claim, totals=deals[0], yaku=yaku)
    return replace(claim, deals=deals, winners=winners, yaku=yaku)


def yaku_of(data: Mapping[str, str], fields: ClaimFields, number: int, side: int) -> tuple[str, ...]:
    """Return the yaku of a side in a deal, in their order; a word that names none stays as it was written."""
    if side in fields.empty or not fields.yaku:
        return ()
    name = f"y{number}_{side}"
    words = [word for word in BETWEEN.split(data.get(name, "")) if word]
    ids = {IROHA.get(each, each): each for each in fields.yaku} | {each.casefold(): each for each in fields.yaku}
    # Unknown words are kept, cut: the refusal shows what was written.
    made = {ids.get(word.casefold(), word[:20]) for word in words[:20]}
    made |= {each for each in fields.yaku if data.get(name + each)}
    return tuple(sorted(made, key=lambda each: fields.yaku.index(each) if each in fields.yaku else len(fields.yaku)))


def _given(data: Mapping[str, str], name: str) -> bool:
    return bool(data.get(name, "").strip())


def _row(data: Mapping[str, str], prefix: str, fields: ClaimFields, absent: tuple[int, ...]) -> tuple[int, ...]:
    whose = fields.names or ("",) * fields.sides
    return tuple(0 if side in absent else _number(data, f"{prefix}{side}", whose[side]) for side in range(fields.sides))


def _number(data: Mapping[str, str], name: str, whose: str = "") -> int:
    text = data.get(name, "").strip().translate(MINUS).replace(" ", "")
    if not text:
        message = _("A figure is missing. Fill in every side.")
        if whose:
            message = _("The figure of %(name)s is missing. Fill in every side.") % {"name": whose}
        raise TournamentError(message, code="report.empty", extra={"field": name})
    if not text.removeprefix("-").isdecimal() or len(text) > DIGITS:
        message = _("“%(text)s” is not a whole number. Write figures like 120 or -50.") % {"text": text[:20]}
        raise TournamentError(message, code="report.not_a_number", extra={"field": name})
    return int(text)


def _side(data: Mapping[str, str], name: str, fields: ClaimFields) -> int | None:
    text = data.get(name, "")
    return int(text) if text in {str(side) for side in range(fields.sides)} else None
