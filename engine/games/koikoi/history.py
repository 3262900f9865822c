"""From the observations a bot receives, one after another, to the typed observation with all it may know.

An observation dict holds the table as it is now, and in `since` what has happened. What has left each hand, and the
flipped card that waits, are only there: `Reader` keeps them through the deal. Source: site.md 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.action import UNNAMED, Action
from engine.cards import BITS, CardSet, card_index, set_of
from engine.game import Json, Ruleset
from engine.games.koikoi.observation import KoiKoiObservation
from engine.games.koikoi.position import NOBODY
from engine.games.koikoi.rules import SEATS, compile_rules

Event = Mapping[str, Any]


def seat_of(name: str | None) -> int:
    """Number of a seat name like `p1`, -1 for none."""
    return NOBODY if name is None else int(name[1:])


class Reader:
    """Reads the successive observation dicts of one seat in one match.

    events: all public events of the present deal, in order; deal_ends: those that ended a deal, of the match.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules = compile_rules(ruleset)
        self.events: list[Json] = []
        self.deal_ends: list[Json] = []
        self._last: tuple[object, ...] = ()
        self._forget()

    def _forget(self) -> None:
        """Forget everything at the start of a deal."""
        self.events = []
        self.played: list[CardSet] = [0] * SEATS
        self.flipped = UNNAMED

    def read(self, obs: Event) -> KoiKoiObservation:
        """The typed observation of a dict; its `since` is taken in once, however often the same dict is read."""
        self.take(obs)
        return self._build(obs)

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
        elif "deal_end" in event:
            self.deal_ends.append(dict(event))
        elif "play" in event:
            self.played[seat_of(event["by"])] |= BITS[card_index(event["play"])]
            self.flipped = card_index(event["flip"])
        # A copy: the dict belongs to the bot, which may change it.
        self.events.append(dict(event))

    def _build(self, obs: Event) -> KoiKoiObservation:
        seat = seat_of(obs["me"])
        return KoiKoiObservation(
            rules=self.rules,
            seat=seat,
            dealer=seat_of(obs["dealer"]),
            number=obs["deal_n"],
            turn=seat,
            phase=obs["phase"],
            hand=set_of(obs["hand"]),
            hand_sizes=tuple(obs["hand_n"]),
            field=set_of(obs["field"]),
            captured=tuple(set_of(pile) for pile in obs["tray"]),
            pile_size=obs["pile_n"],
            pending=self.flipped if obs["phase"] == "flip_choice" else NOBODY,
            mult=obs["mult"],
            calls=tuple(obs["calls"]),
            last_caller=seat_of(obs["last_caller"]),
            marks=tuple(obs["mark"]),
            played=tuple(self.played),
            legal=tuple(Action.from_json(action) for action in obs["legal"]),
        )
