"""What each column of the files means, for people."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrPromise

MEANINGS: Final[dict[str, StrPromise]] = {
    "match": _("The match: its page is /m/ followed by this."),
    "game": _("The game."),
    "preset": _("The preset of its rules."),
    "ruleset": _("The hash of the rules: equal rules have equal hashes."),
    "options": _("All options of the rules, as JSON."),
    "engine": _("The version of the engine that played it."),
    "deal": _("Number of the deal, from 1."),
    "move": _("Number of the move in the deal, from 1."),
    "seat": _("Who decides: the seat, from 0."),
    "side": _("The side of that seat, from 0."),
    "sides": _("The side of every seat."),
    "bot": _("The hash of the bot’s version; empty for a person."),
    "phase": _("What is decided: a card of the hand, the target of a flipped card, a call."),
    "dealer": _("The dealer’s seat."),
    "total": _("Per side: what decides the match so far."),
    "hand": _("The cards of the hand."),
    "hand_n": _("How many cards each seat has."),
    "field": _("The cards on the field."),
    "tray": _("Per side: the captured cards."),
    "pile_n": _("How many cards are left in the pile."),
    "mult": _("What the points of this deal are multiplied by."),
    "more": _("What only this game tells, as JSON: yaku so far, calls, bids, the discard pile."),
    "since": _("All public events since the seat’s last decision, as JSON."),
    "legal": _("The legal actions, in the notation of records."),
    "choice": _("The index of the action that was chosen, from 0."),
    "deal_score": _("Per side: the points of this deal, known at its end."),
    "deal_winner": _("The seat that won the deal, if one did."),
    "match_end": _("How the match ended: complete, or cut off at the highest number of moves."),
    "match_score": _("Per side: the points of the whole match."),
    "match_victories": _("Per side: the victories of the whole match."),
    "match_rank": _("Per side: the place in the match, 1 is best."),
    "forfeits": _("Seats that forfeited. From then on they decide nothing and have no rows."),
}
