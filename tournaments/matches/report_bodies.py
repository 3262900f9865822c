"""Claims of people about a match: read strictly, checked against the rules, made the body of a report.

A claim is either deal by deal (`deals`: points per side and deal) or totals (`totals`, and `victories` where the
stage or the rules count them). What was counted at the table instead (`yaku`, `bids`) is turned into scores first.
Pure: no database, no clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _

from engine.game import Ruleset, game_of
from engine.record import canonical
from tournaments.matches.bounds import less_yaku, settled, sheet_of
from tournaments.matches.bounds import refuse as _refuse
from tournaments.matches.records.results import WALKOVER

# Parts of a report's body that say how it came in: no part of the result, so no part of its hash.
SHOWN_ONLY: Final = ("side", "key", "yaku", "bids")


@dataclass(frozen=True, slots=True)
class Claim:
    """A result as somebody gives it, figures per side.

    winners: per deal the side that won it, where the top is shared (None elsewhere); with totals of a match that ends
    at a target, who won it, where the points do not tell. absent: sides that did not come.
    complete: whether all deals must have been played.
    yaku (Sakura): per deal and side the ids of what was made; a deal in which any was has card points as its figures.
    bids (Oi-bana): per deal and side, instead of figures; with `winners`, `losers` where equal bids do not tell who
    played, and `margins` where Basa or Chu count.
    """

    deals: tuple[tuple[int, ...], ...] = ()
    winners: tuple[int | None, ...] = ()
    totals: tuple[int, ...] = ()
    victories: tuple[int, ...] | None = None
    absent: tuple[int, ...] = ()
    complete: bool = True
    yaku: tuple[tuple[tuple[str, ...], ...], ...] = ()
    bids: tuple[tuple[int, ...], ...] = ()
    losers: tuple[int | None, ...] = ()
    margins: tuple[int, ...] = ()


def body_from(claim: Claim, rules: Ruleset, sides: Sequence[int]) -> dict[str, Any]:
    """Build the body of a report. sides: the side of every seat.

    A side whose player did not come is last with 0 points; the others may play without it. Raises TournamentError
    "report.points_impossible", "report.victories_impossible", "report.deals_wrong", "report.winner_needed",
    "report.sides_wrong", "report.yaku_impossible", "report.bids_impossible", "report.opponent_needed"; extra: side
    and deal from 1, where known.
    """
    count = len(set(sides))
    if not set(claim.absent) <= set(range(count)):
        raise _refuse("report.sides_wrong", _("There is no such side at this table. Reload the page."))
    return _validated(_scored(claim, rules, count), rules, sides, count) | _as_counted(claim)


def _as_counted(claim: Claim) -> dict[str, Any]:
    """Return what people counted, for those who look at the report."""
    made = {"yaku": [[list(side) for side in deal] for deal in claim.yaku]} if _has_yaku(claim) else {}
    return made | ({"bids": [list(deal) for deal in claim.bids]} if claim.bids else {})


def _has_yaku(claim: Claim) -> bool:
    return any(side for deal in claim.yaku for side in deal)


def _scored(claim: Claim, rules: Ruleset, count: int) -> Claim:
    """Return the claim with scores in place of card points and bids."""
    if claim.bids:
        return _from_bids(claim, rules, count)
    if not _has_yaku(claim):
        return claim
    if not sheet_of(rules).combinations:
        raise _refuse("report.yaku_impossible", _("This game has no yaku. Enter the figures alone."))
    figures = claim.deals or ((claim.totals,) if deals_of(rules) == 1 else ())
    if len(figures) != len(claim.yaku):
        message = _("Yaku need the card points of their deal: enter both for each of the %(n)s deals.")
        raise _refuse("report.deals_wrong", message % {"n": max(len(claim.yaku), len(figures))})
    scores = tuple(
        less_yaku(cards, _of_sides(made, count), rules, number) if any(made) else cards
        for number, (cards, made) in enumerate(zip(figures, claim.yaku, strict=True), 1)
    )
    return replace(claim, deals=scores) if claim.deals else replace(claim, totals=scores[0])


def _of_sides(made: Sequence[tuple[str, ...]], count: int) -> Sequence[tuple[str, ...]]:
    if len(made) != count:
        raise _refuse("report.sides_wrong", _("Enter a figure for each of the %(n)s sides.") % {"n": count})
    return made


def _from_bids(claim: Claim, rules: Ruleset, count: int) -> Claim:
    deals = len(claim.bids)
    if not sheet_of(rules).asks_bids:
        raise _refuse("report.bids_impossible", _("This game has no bids. Enter the figures alone."))
    if any(len(bids) != count for bids in claim.bids):
        raise _refuse("report.sides_wrong", _("Enter a figure for each of the %(n)s sides.") % {"n": count})
    none = (None,) * deals
    # Padded with nothing: winners, losers and margins may be shorter than the bids, or missing.
    listed = zip(claim.bids, (*claim.winners, *none), (*claim.losers, *none), (*claim.margins, *(0,) * deals))
    paid = tuple(
        settled(bids, winner, loser, margin, rules, number)
        for number, (bids, winner, loser, margin) in enumerate(listed, 1)
    )
    # Without the winners: the scores have them in already.
    whole = replace(claim, winners=(), deals=paid)
    return replace(whole, deals=(), totals=paid[0]) if deals_of(rules) == deals == 1 else whole


def _validated(claim: Claim, rules: Ruleset, sides: Sequence[int], count: int) -> dict[str, Any]:
    if not claim.absent:
        return _played(claim, rules, count)
    here = [side for side in range(count) if side not in claim.absent]
    absent = [
        # A seat of a side that did not come forfeits from the first move of the first deal.
        {"seat": seat, "code": "no_show", "deal": 1, "move": 0}
        for seat, side in enumerate(sides)
        if side not in here
    ]
    if len(here) < 2:
        # With one side left nothing is played and it is first; with none, everybody is last.
        rank = [1 if side in here else 2 for side in range(count)] if here else [count] * count
        return _body(WALKOVER, [0] * count, [0] * count, rank, 1) | {"forfeits": absent}
    short = _played(_without(claim, here, count), rules, len(here))
    return _widened(short, here, count) | {"forfeits": absent}


def _played(claim: Claim, rules: Ruleset, count: int) -> dict[str, Any]:
    return _from_deals(claim, rules, count) if claim.deals else _from_totals(claim, rules, count)


def _without(claim: Claim, here: Sequence[int], count: int) -> Claim:
    """Return the claim of those who are here, figures of the others left out."""

    def kept(row: Sequence[int]) -> tuple[int, ...]:
        # People fill in the absent side with 0, or leave its column out: both are the same claim.
        return tuple(row[side] for side in here) if len(row) == count else tuple(row)

    winners = tuple(here.index(side) if side in here else None for side in claim.winners)
    victories = None if claim.victories is None else kept(claim.victories)
    return replace(
        claim, deals=tuple(map(kept, claim.deals)), winners=winners, totals=kept(claim.totals), victories=victories
    )


def _widened(body: dict[str, Any], here: Sequence[int], count: int) -> dict[str, Any]:
    def wide(row: Sequence[int | None], fill: int | None) -> list[int | None]:
        return [row[here.index(side)] if side in here else fill for side in range(count)]

    known = body["victories"][0] is not None
    body |= {"score": wide(body["score"], 0), "rank": wide(body["rank"], count)}
    body["victories"] = wide(body["victories"], 0 if known else None)
    return body | ({"by_deal": [wide(deal, 0) for deal in body["by_deal"]]} if "by_deal" in body else {})


def hash_of(body: Mapping[str, Any]) -> str:
    """Return the value that two reports of one result share: SHA-256 of the canonical result."""
    hashed = {key: value for key, value in body.items() if key not in SHOWN_ONLY}
    return "sha256:" + hashlib.sha256(canonical(hashed)).hexdigest()


def deals_of(rules: Ruleset) -> int:
    """Return the number of deals of a match, the most where it may end early; 0 where only a target ends it."""
    return sheet_of(rules).deals_in_match(rules.options)


def missing_deals(body: Mapping[str, Any], rules: Ruleset) -> tuple[int, int] | None:
    """Return how many deals a result that was entered deal by deal has, and how many the match should have.

    None if it has all of them, or was entered as totals.
    """
    deals = tuple(tuple(deal) for deal in body.get("by_deal", ()))
    expected = deals_of(rules)
    if not deals or not expected or _last_deal(Claim(deals=deals), rules, len(deals[0])):
        return None
    return len(deals), expected


def _last_deal(claim: Claim, rules: Ruleset, count: int) -> int:
    """Return the number of the deal with which the match was over by its rules, 0 if it goes on."""
    game, totals = game_of(rules.game), [0] * count
    for number, scores in enumerate(claim.deals, 1):
        # A row of another length is refused later, with its own reason.
        row = (*scores, *[0] * count)
        totals = [held + won for held, won in zip(totals, row, strict=False)]
        if game.is_match_over(rules.options, number, totals):
            return number
    return 0


def _check_number(claim: Claim, rules: Ruleset, count: int) -> None:
    """Refuse deals beyond the last one, and a complete match without its last one."""
    expected, last, given = deals_of(rules), _last_deal(claim, rules, count), len(claim.deals)
    if given > expected or (claim.complete and not last):
        message = _(
            "The match has %(expected)s deals, but you filled in %(n)s. Fill in each deal, with 0 where it is void."
        )
        raise _refuse("report.deals_wrong", message % {"expected": expected, "n": given})
    if 0 < last < given:
        message = _("By these rules the match was over after deal %(n)s. Leave out the deals that came later.")
        raise _refuse("report.deals_wrong", message % {"n": last}, deal=last + 1)


def _from_deals(claim: Claim, rules: Ruleset, count: int) -> dict[str, Any]:
    if deals_of(rules):
        _check_number(claim, rules, count)
    victories = [0] * count
    for number, scores in enumerate(claim.deals, 1):
        _check_scores(scores, rules, count, 1, number)
        winner = _winner(claim, scores, number, rules)
        if winner is not None:
            victories[winner] += _worth(rules, scores, winner)
    # Column by column: a deal is a row of one score a side.
    totals = tuple(sum(column) for column in zip(*claim.deals, strict=True))
    rank = _rank(totals, victories, rules, _match_winner(claim, totals, rules))
    by_deal = [list(deal) for deal in claim.deals]
    return _body("complete", totals, victories, rank, len(claim.deals)) | {"by_deal": by_deal}


def _winner(claim: Claim, scores: Sequence[int], number: int, rules: Ruleset) -> int | None:
    """Return the side on top; where several are, the one that was named. Nobody wins a void deal.

    In a ledger the winner may have paid more for other things than the deal brought, and deals won decide nothing.
    """
    named = claim.winners[number - 1] if number <= len(claim.winners) else None
    is_ledger = sheet_of(rules).is_ledger
    if is_ledger and named is not None and any(scores):
        return named
    if named is None and sheet_of(rules).may_be_unwon(scores, rules.options):
        return None
    top = [side for side, score in enumerate(scores) if score == max(scores)]
    if len(top) == 1:
        return top[0]
    if named in top:  # before the void deal: scores of 0 are possible, and somebody has won by turn order
        return named
    if not any(scores) or is_ledger:
        return None
    message = _(
        "Deal %(deal)s: the best scores are tied. Say who won it: the tied player who comes first in turn order"
        " from the dealer."
    )
    raise _refuse("report.winner_needed", message % {"deal": number}, deal=number)


def _worth(rules: Ruleset, scores: Sequence[int], winner: int) -> int:
    others = [score for side, score in enumerate(scores) if side != winner]
    return sheet_of(rules).victories_for(scores[winner] - max(others), rules.options)


def _from_totals(claim: Claim, rules: Ruleset, count: int) -> dict[str, Any]:
    """Take totals as one deal; victories are given with them where the match is won by them, unless one deal tells."""
    deals = deals_of(rules)
    if deals == 1 and claim.victories is None and rules.options.scoring == "victories":
        return _from_deals(replace(claim, deals=(claim.totals,)), rules, count)
    _check_scores(claim.totals, rules, count, max(deals, 1), 0)
    winner = _match_winner(claim, claim.totals, rules)
    victories: Sequence[int | None] = [None] * count
    if rules.options.scoring == "victories":
        victories = _checked_victories(claim.victories, rules, count, deals)
    return _body("complete", claim.totals, victories, _rank(claim.totals, victories, rules, winner), 1)


def _checked_victories(given: Sequence[int] | None, rules: Ruleset, count: int, deals: int) -> list[int | None]:
    # The most that any deals of these rules can bring, so that a slip with a digit too many is refused.
    most = deals * sheet_of(rules).most_victories(rules.options)
    if given is None or len(given) != count:
        message = _("This match is decided by deals won: enter them for every side.")
        raise _refuse("report.victories_impossible", message)
    for side, number in enumerate(given, 1):
        if number < 0:
            message = _("Side %(side)s cannot have won %(n)s deals.") % {"side": side, "n": number}
            raise _refuse("report.victories_impossible", message, side=side)
    if sum(given) > most:
        message = _(
            "All sides together can win %(most)s in %(deals)s deals, but your figures add up to %(n)s. Count again."
        )
        shown = {"most": most, "deals": deals, "n": sum(given)}
        raise _refuse("report.victories_impossible", message % shown)
    return list(given)


def _check_scores(scores: Sequence[int], rules: Ruleset, count: int, deals: int, number: int) -> None:
    """Check the scores of one deal, or of all.

    number: of the deal from 1, 0 for totals. deals: that these scores add up.
    """
    if len(scores) != count:
        raise _refuse("report.sides_wrong", _("Enter a figure for each of the %(n)s sides.") % {"n": count})
    wrong = sheet_of(rules).wrong(scores, rules.options, deals, is_deal=bool(number))
    if wrong is not None:
        message = _(wrong.message) % wrong.shown
        if number and deals_of(rules) != 1:
            message = _("Deal %(deal)s: %(message)s") % {"deal": number, "message": message}
        raise _refuse("report.points_impossible", message, side=wrong.side, deal=number)


def _match_winner(claim: Claim, totals: Sequence[int], rules: Ruleset) -> int | None:
    """Return the side that won a match to a target, by its deals or points; None in games with a number of deals.

    The match ends as soon as one side has the points that win it, or with a buttakuri, no matter what the points are
    (R88).
    """
    sheet, target = sheet_of(rules), getattr(rules.options, "target", 0)
    able = sheet.winners(totals, rules.options)
    if able is None:
        return None
    by_deals = sheet.winner_of_deals(claim.deals, rules.options) if claim.deals else None
    if not able or (claim.deals and by_deals is None):
        message = _(
            "The match ends when one side has %(target)s points, or with a buttakuri: so exactly one side wins it,"
            " and nobody has less than 0. Check the figures."
        )
        raise _refuse("report.points_impossible", message % {"target": target})
    named = by_deals if claim.deals else next(iter(claim.winners), None)
    if named in able:
        return named
    if len(able) == 1 and named is None:
        return able[0]
    message = _("A buttakuri ended this match below %(target)s points: say who won it.") % {"target": target}
    raise _refuse("report.winner_needed", message)


def _rank(
    scores: Sequence[int], victories: Sequence[int | None], rules: Ruleset, winner: int | None = None
) -> list[int]:
    """Return places at the table, equal ones sharing a number. winner: has won, no matter what the points are."""
    if winner is not None:
        return [1 if side == winner else 2 for side in range(len(scores))]
    counted = victories if rules.options.scoring == "victories" else scores
    return [1 + sum((other or 0) > (own or 0) for other in counted) for own in counted]


def _body(
    end: str, scores: Sequence[int], victories: Sequence[int | None], rank: list[int], deals: int
) -> dict[str, Any]:
    score, won = list(scores), list(victories)
    return {"end": end, "score": score, "victories": won, "rank": rank, "forfeits": [], "deals": deals}
