"""From the observations a bot receives, one after another, to the typed observation. Source: site.md 6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.action import Action
from engine.cards import card_index, set_of
from engine.game import Json, Ruleset
from engine.games.nuki.observation import NukiObservation
from engine.games.nuki.position import NOBODY
from engine.games.nuki.rules import compile_rules
from engine.games.nuki.teyaku import BY_ID, Claim, Claims

Event = Mapping[str, Any]


def seat_of(name: str | None) -> int:
    """Number of a seat name like `p3`, -1 for none."""
    return NOBODY if name is None else int(name[1:])


class Reader:
    """Reads the successive observation dicts of one seat in one match.

    Each dict tells the whole table; events: all public events of the present deal; deal_ends: those that ended one.
    """

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.rules = compile_rules(ruleset, seats)
        self.events: list[Json] = []
        self.deal_ends: list[Json] = []
        self._last: tuple[object, ...] = ()

    def read(self, obs: Event) -> NukiObservation:
        """The typed observation of a dict; its `since` is taken in once, however often the same dict is read."""
        self.take(obs)
        return self._build(obs)

    def take(self, obs: Event) -> None:
        """Take in the new events of an observation, those of one decision once."""
        # With the phase: naming a triplet is told to nobody and does not count as a move.
        asked = (obs["match"], obs["deal"], obs["move"], obs["phase"])
        if asked != self._last:
            self._last = asked
            for event in obs["since"]:
                self._take(event)

    def _take(self, event: Event) -> None:
        if "deal" in event:
            self.events = []
        elif "deal_end" in event:
            self.deal_ends.append(dict(event))
        self.events.append(dict(event))

    def _build(self, obs: Event) -> NukiObservation:
        seat, sage = seat_of(obs["me"]), [seat_of(name) for name in obs["sage"]]
        flipped = obs["flipped"]
        return NukiObservation(
            rules=self.rules,
            seat=seat,
            dealer=seat_of(obs["dealer"]),
            leader=seat_of(obs["leader"]),
            active=tuple(seat_of(name) for name in obs["active"]),
            answers=tuple((seat_of(name), answer) for name, answer in obs["answers"]),
            turn=seat,
            phase=obs["phase"],
            hand=set_of(obs["hand"]),
            hand_sizes=tuple(obs["hand_n"]),
            field=set_of(obs["field"]),
            captured=tuple(set_of(pile) for pile in obs["tray"]),
            pile_size=obs["pile_n"],
            pending=NOBODY if flipped is None else card_index(flipped),
            multiplier=obs["mult"],
            carry=obs["carry"][0],
            carry_out=obs["carry"][1],
            redeal=obs["redeal"],
            paid=tuple(obs["paid"]),
            mizuten=bool(obs["mizuten"]),
            claims=tuple(_claims(shown) for shown in obs["teyaku"]),
            fresh=bool(obs["new"]),
            sage=sum(1 << caller for caller in sage),
            first_sage=sage[0] if sage else NOBODY,
            played=tuple(set_of(cards) for cards in obs["played"]),
            turned=set_of(obs["turned"]),
            returned=set_of(obs["returned"]),
            legal=tuple(Action.from_json(action) for action in obs["legal"]),
        )


def _claims(shown: Sequence[Event] | None) -> Claims | None:
    """Return what a seat has claimed, from the observation's `teyaku`."""
    if shown is None:
        return None
    found = {BY_ID[item["name"]].group: Claim(item["name"], item["month"], set_of(item["cards"])) for item in shown}
    return Claims(found.get("A"), found.get("B"))
