"""From the observations a bot receives, one after another, to the typed observation with all it may know.

An observation dict holds the table as it is now, and in `since` what has happened. Some of what all know (which
hand a card has left, what a block has shown) is only there: `Reader` keeps it through the deal. Source: site.md 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.action import UNNAMED, Action
from engine.cards import BITS, GAJI, MONTH_MASKS, CardSet, card_index, set_of
from engine.game import Json, Ruleset
from engine.games.sakura.observation import SakuraObservation
from engine.games.sakura.position import NOBODY
from engine.games.sakura.rules import compile_rules

_STARTS_A_PART: Final = ("play", "hiki", "draw_only")
Event = Mapping[str, Any]


def seat_of(name: str) -> int:
    """Number of a seat name like `p3`."""
    return int(name[1:])


class Reader:
    """Reads the successive observation dicts of one seat in one match.

    events: all public events of the present deal, in order; deal_ends: those that ended a deal, of the match.
    """

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.rules = compile_rules(ruleset, seats)
        self.events: list[Json] = []
        self.deal_ends: list[Json] = []
        self._last: tuple[object, ...] = ()
        self._forget()

    def _forget(self) -> None:
        """Forget everything at the start of a deal."""
        self.events = []
        self.played: list[CardSet] = [0] * self.rules.seats
        self.known: list[CardSet] = [0] * self.rules.seats
        self.removed: CardSet = 0
        self.clear: CardSet = 0
        self.barred: CardSet = 0
        self.returned = False
        self.flipped = UNNAMED

    def read(self, obs: Event) -> SakuraObservation:
        """The typed observation of a dict; its `since` is taken in once, however often the same dict is read."""
        seat = seat_of(obs["me"])
        return self.read_as(obs, seat=seat, turn=seat)

    def read_as(self, obs: Event, *, seat: int, turn: int) -> SakuraObservation:
        """The same for a seat that may not be on turn; seat NOBODY: one who only watches."""
        self.take(obs)
        return self._build(obs, seat, turn)

    def take(self, obs: Event) -> None:
        """Take in the new events of an observation, those of one decision once."""
        # A bot may read the same dict more than once, or again in a search; its events count once.
        asked = (obs["match"], obs["deal"], obs["move"])
        if asked != self._last:
            self._last = asked
            for event in obs["since"]:
                self._take(event)

    def _take(self, event: Event) -> None:
        if "deal" in event:
            self._forget()
            self.removed = set_of(event.get("removed", ()))
        elif "deal_end" in event:
            self.deal_ends.append(dict(event))
        else:
            self._take_move(event, seat_of(event["by"]))
        # A copy: the dict belongs to the bot, which may change it.
        self.events.append(dict(event))

    def _take_move(self, event: Event, seat: int) -> None:
        if any(kind in event for kind in _STARTS_A_PART):
            # A new part of a turn: what was barred or turned up in the one before no longer waits.
            self.barred, self.flipped = 0, UNNAMED
        self.returned = event.get("blocked_choice") == "return"
        if self.returned:
            # The Gaji is back in the hand, and all have seen it.
            self.played[seat] &= ~BITS[GAJI]
            self.known[seat] |= BITS[GAJI]
        if "play" in event:
            self.played[seat] |= BITS[card_index(event["play"])]
        self.played[seat] |= set_of(event.get("from_hand", ()))
        if "missing" in event:
            self.clear = set_of(event["missing"])
        if "flip" in event:
            self.flipped = card_index(event["flip"])
        for note in event.get("ev", ()):
            self._take_note(note)

    def _take_note(self, note: Event) -> None:
        if note["code"] == "hiki_block":
            self.played[note["by"]] |= set_of(note["from_hand"])
        elif note["code"] == "forbidden":
            self.known[note["by"]] |= BITS[card_index(note["card"])]
            self.barred |= MONTH_MASKS[note["month"] - 1]

    def _build(self, obs: Event, seat: int, turn: int) -> SakuraObservation:
        phase, gaji = obs["phase"], obs["gaji"]
        is_choice = phase in ("flip_choice", "flip_gaji")
        return SakuraObservation(
            rules=self.rules,
            seat=seat,
            dealer=seat_of(obs["dealer"]),
            turn=turn,
            phase=phase,
            hand=set_of(obs["hand"]),
            hand_sizes=tuple(obs["hand_n"]),
            field=set_of(obs["field"]),
            captured=tuple(set_of(pile) for pile in obs["tray"]),
            removed=self.removed,
            pile_size=obs["pile_n"],
            # A blocked Gaji is in mid-air, even if it was not the card turned up.
            pending=self.flipped if is_choice else GAJI if phase == "gaji_blocked" else NOBODY,
            pending_flip=is_choice or (phase == "gaji_blocked" and self.flipped != UNNAMED),
            gaji_by=seat_of(gaji["by"]) if gaji else NOBODY,
            gaji_month=gaji["month"] if gaji else 0,
            transfer_open=bool(gaji and gaji["open"] and self.rules.transfers),
            clear=self.clear,
            barred=self.barred if phase == "gaji_blocked" else 0,
            returned=self.returned and phase == "hand",
            played=tuple(self.played),
            known=_still_in_hand(self.known, self.played),
            legal=tuple(Action.from_json(action) for action in obs["legal"]),
        )


def _still_in_hand(known: Sequence[CardSet], played: Sequence[CardSet]) -> tuple[CardSet, ...]:
    return tuple(shown & ~gone for shown, gone in zip(known, played))
