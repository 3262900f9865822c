"""From the observations a bot receives, one after another, to the typed observation with all it may know.

An observation dict holds the table as it is now, and in `since` what has happened. Some of what all know (what each
hand has discarded, what it cannot hold since it passed, a void teyaku) is only there. Source: site.md 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.action import Action
from engine.cards import BITS, CardSet, card_index, set_of
from engine.game import Json, Ruleset
from engine.games.poka.observation import PokaObservation
from engine.games.poka.rules import SEATS, compile_rules
from engine.games.poka.teyaku import BY_ID, Shown
from engine.games.poka.turn import forced_by

Event = Mapping[str, Any]


def seat_of(name: str) -> int:
    """Number of a seat name like `p1`."""
    return int(name[1:])


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
        self.lacks: list[CardSet] = [0] * SEATS
        self.shown: list[Shown | None] = [None] * SEATS
        self.top = 0
        self.reshuffles = 0

    def read(self, obs: Event) -> PokaObservation:
        """The typed observation of a dict; its `since` is taken in once, however often the same dict is read."""
        self.take(obs)
        return self._build(obs)

    def take(self, obs: Event) -> None:
        """Take in the new events of an observation, those of one decision once."""
        asked = (obs["match"], obs["deal"], obs["move"])
        if asked != self._last:
            self._last = asked
            for event in obs["since"]:
                self._take(event)

    def _take(self, event: Event) -> None:
        if "deal" in event:
            self._forget()
            self.top = card_index(event["discard"][-1])
        elif "deal_end" in event:
            self.deal_ends.append(dict(event))
        else:
            self._take_move(event, seat_of(event["by"]))
        for note in event.get("ev", ()):
            self._take_note(note)
        self.events.append(dict(event))

    def _take_move(self, event: Event, seat: int) -> None:
        if "discard" in event:
            self.top = card_index(event["discard"])
            self.played[seat] |= BITS[self.top]
        else:  # a pass; a stop is told to nobody
            self.lacks[seat] |= forced_by(self.top, self.reshuffles)
        if "flip" in event:
            self.top = card_index(event["flip"])

    def _take_note(self, note: Event) -> None:
        if note["code"] == "teyaku_void":
            self.shown[note["by"]] = Shown(BY_ID[note["teyaku"]], set_of(note["cards"]))
        elif note["code"] == "reshuffle":
            self.reshuffles = note["n"]

    def _build(self, obs: Event) -> PokaObservation:
        seat = seat_of(obs["me"])
        return PokaObservation(
            rules=self.rules,
            seat=seat,
            dealer=seat_of(obs["dealer"]),
            turn=seat,
            phase=obs["phase"],
            hand=set_of(obs["hand"]),
            hand_sizes=tuple(obs["hand_n"]),
            played=tuple(self.played),
            discard=tuple(map(card_index, obs["discard"])),
            pile_size=obs["pile_n"],
            pile=None if obs["pile"] is None else set_of(obs["pile"]),
            reshuffles=obs["reshuffles"],
            passes=obs["passes"],
            first_turn=tuple(obs["first_turn"]),
            laid=obs["laid"],
            shown=tuple(self.shown),
            lacks=tuple(self.lacks),
            moves_seen=obs["move"] - 1,
            legal=tuple(Action.from_json(action) for action in obs["legal"]),
        )
