"""Scores of one deal from what people count at the table: card points and yaku, or bids. Pure.

The scoresheet of the game (`engine/games/<game>/scoresheet.py`) knows which figures are possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.phrasing import listed
from core.errors import TournamentError
from core.replay.book import yaku_sign
from engine.cards import CardSet, points
from engine.game import Ruleset, game_of
from engine.scoresheet import Scoresheet

# Per side the ids of the yaku it made.
Named = Sequence[Sequence[str]]


def sheet_of(rules: Ruleset) -> Scoresheet:
    """Return what people may report of matches by these rules."""
    return game_of(rules.game).scoresheet


def refuse(code: str, message: str, **where: int) -> TournamentError:
    """Return the refusal of a result. where: side and deal from 1; 0 is left out."""
    return TournamentError(message, code=code, extra={name: value for name, value in where.items() if value})


def less_yaku(cards: Sequence[int], yaku: Named, rules: Ruleset, number: int) -> tuple[int, ...]:
    """Return the scores of a deal in which yaku count. cards: card points per side; number: of the deal from 1.

    Raises TournamentError "report.sides_wrong", "report.yaku_impossible", "report.points_impossible".
    """
    if len(cards) != len(yaku):
        raise refuse("report.sides_wrong", _("Enter a figure for each of the %(n)s sides.") % {"n": len(yaku)})
    sheet = sheet_of(rules)
    _refuse_shared(yaku, sheet.combinations, number)
    for side, (own, made) in enumerate(zip(cards, yaku, strict=True), 1):
        _refuse_cards(own, made, sheet, side, number)
    # All piles together hold each card once.
    if sum(cards) > sheet.card_points:
        shown = {"most": sheet.card_points, "n": sum(cards), "deal": number}
        message = _(
            "Deal %(deal)s: all cards together are worth %(most)s, but these figures add up to %(n)s. Count again."
        )
        raise refuse("report.points_impossible", message % shown, deal=number)
    return sheet.scores_of(cards, [len(made) for made in yaku], rules.options)


def _refuse_shared(yaku: Named, cards_of: Mapping[str, CardSet], number: int) -> None:
    """Refuse yaku of two sides that need the same card: every card is in one pile."""
    taken: dict[str, int] = {}
    for side, made in enumerate(yaku):
        for name in made:
            if name not in cards_of:
                message = _("There is no yaku called “%(name)s”. Choose from: %(all)s.")
                raise refuse(
                    "report.yaku_impossible",
                    message % {"name": name[:20], "all": listed(map(_sign, cards_of))},
                    side=side + 1,
                    deal=number,
                )
            for other, owner in taken.items():
                # Sets of cards are bits of one number: a common bit is a common card.
                if owner != side and cards_of[other] & cards_of[name]:
                    raise refuse("report.yaku_impossible", _two_sides(other, name, number), side=side + 1, deal=number)
            taken[name] = side


def _two_sides(one: str, other: str, number: int) -> str:
    if one == other:
        message = _("Deal %(deal)s: yaku %(one)s is ticked on two sides, but only one can have its cards.")
    else:
        message = _("Deal %(deal)s: the yaku %(one)s and %(other)s share a card, so they belong to one side.")
    return message % {"one": _sign(one), "other": _sign(other), "deal": number}


def _sign(name: str) -> str:
    """Return the sign of a yaku as the reader writes it."""
    return yaku_sign(name, get_language() or "en")


def _refuse_cards(own: int, made: Sequence[str], sheet: Scoresheet, side: int, number: int) -> None:
    if own < 0 or own % sheet.step:
        message = _(
            "A score of %(score)s points is impossible: every card counts a multiple of %(step)s. Check the sum."
        )
        raise refuse("report.points_impossible", message % {"score": own, "step": sheet.step}, side=side, deal=number)
    # The cards of all yaku together, each counted once although several yaku may use it.
    cards = 0
    for name in made:
        cards |= sheet.combinations[name]
    if own < points(cards):
        shown = {"deal": number, "yaku": listed(map(_sign, made)), "least": points(cards), "score": own}
        message = _(
            "Deal %(deal)s: the cards of yaku %(yaku)s alone are worth %(least)s points, but you entered "
            "%(score)s. Enter the points of the cards; we deduct what the yaku of the others cost."
        )
        raise refuse("report.points_impossible", message % shown, side=side, deal=number)


def settled(
    bids: Sequence[int], winner: int | None, other: int | None, margin: int, rules: Ruleset, number: int
) -> tuple[int, ...]:
    """Return what a deal that was bid for moves in the ledger, per side; nothing where nobody bid (a void deal).

    bids: 0 of a side that is not there. other: who lost, needed where equal bids do not tell. margin: of the Sakura
    deal, needed for Basa and Chu. Raises TournamentError "report.bids_impossible", "report.winner_needed",
    "report.opponent_needed", "report.points_impossible".
    """
    if not any(bids):
        return (0,) * len(bids)
    sheet, options = sheet_of(rules), rules.options
    _refuse_bids(bids, sheet.bid_range(options), number)
    if winner is None:
        raise refuse("report.winner_needed", _("Deal %(deal)s: say who won it.") % {"deal": number}, deal=number)
    loser = _opponent(bids, winner, other, number)
    if not sheet.can_win_by(margin, options):
        message = _("Deal %(deal)s: no combination of cards and yaku wins a deal by %(n)s points. Count again.")
        raise refuse("report.points_impossible", message % {"deal": number, "n": margin}, deal=number)
    paid = sheet.paid(bids[winner], bids[loser], margin, options)
    return tuple(paid if side == winner else -paid if side == loser else 0 for side in range(len(bids)))


def _refuse_bids(bids: Sequence[int], between: tuple[int, int], number: int) -> None:
    low, high = between
    for side, bid in enumerate(bids, 1):
        if bid and not low <= bid <= high:
            shown = {"deal": number, "bid": bid, "low": low, "high": high}
            message = _("Deal %(deal)s: a bid is between %(low)s and %(high)s, but you entered %(bid)s.")
            raise refuse("report.bids_impossible", message % shown, side=side, deal=number)
    if sum(bid > 0 for bid in bids) < 2:
        message = _("Deal %(deal)s: everybody bids once, nobody passes. Fill in every bid.")
        raise refuse("report.bids_impossible", message % {"deal": number}, deal=number)


def _opponent(bids: Sequence[int], winner: int, other: int | None, number: int) -> int:
    """Return the side that played against the winner: the two highest bids play."""
    rest = [side for side in range(len(bids)) if side != winner and bids[side]]
    # At most one bid may lie above the winner's: with two of them the winner was not among the two that played.
    above = [side for side in rest if bids[side] > bids[winner]]
    if len(above) > 1 or not bids[winner]:
        message = _("Deal %(deal)s: the two highest bids play, and the winner's is not among them. Check the bids.")
        raise refuse("report.bids_impossible", message % {"deal": number}, side=winner + 1, deal=number)
    if above:
        return above[0]
    best = [side for side in rest if bids[side] == max(bids[side] for side in rest)]
    if len(best) == 1:
        return best[0]
    if other in best:
        return other
    message = _("Deal %(deal)s: the bids are equal, so also say who lost: of equal bids the earlier one plays.")
    raise refuse("report.opponent_needed", message % {"deal": number}, deal=number)
