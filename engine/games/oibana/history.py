"""From the observations a bot receives, one after another, to the typed observation. Source: site.md 6.

At the table the Sakura reader keeps what only the events tell; it is shown them with the table's own seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.action import Action
from engine.cards import set_of
from engine.game import Json, Ruleset
from engine.games.oibana.auction import NO_BID
from engine.games.oibana.observation import OibanaObservation
from engine.games.oibana.position import NOBODY
from engine.games.oibana.rules import compile_oibana
from engine.games.sakura.history import Reader as SakuraReader
from engine.games.sakura.history import seat_of
from engine.games.sakura.observation import SakuraObservation

Event = Mapping[str, Any]


class Reader:
    """Reads the successive observation dicts of one seat in one match.

    events: all public events of the present deal, in order; deal_ends: those that ended a deal, of the match.
    """

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.rules = compile_oibana(ruleset, seats)
        self.events: list[Json] = []
        self.deal_ends: list[Json] = []
        self._table = SakuraReader(ruleset, 2)
        self._table.rules = self.rules.table  # the very same: rules are compared by identity, and caches forget
        self._last: tuple[object, ...] = ()
        self._players: tuple[int, ...] = ()

    def take(self, obs: Event) -> None:
        """Take in the new events of an observation, those of one decision once."""
        self.read(obs)

    def read(self, obs: Event) -> OibanaObservation:
        """The typed observation of a dict; its `since` is taken in once, however often the same dict is read."""
        asked = (obs["match"], obs["deal"], obs["move"])
        fresh: list[Json] = []
        if asked != self._last:
            self._last = asked
            for event in obs["since"]:
                fresh += self._take(event)
        seat = seat_of(obs["me"])
        return OibanaObservation(
            rules=self.rules,
            seat=seat,
            dealer=seat_of(obs["dealer"]),
            turn=seat_of(obs["turn"]) if obs["turn"] else NOBODY,
            hand=set_of(obs["hand"]),
            bids=tuple(NO_BID if bid is None else bid for bid in obs["bids"]),
            players=tuple(map(seat_of, obs["players"])),
            returned=set_of(obs["returned"]),
            table=self._read_table(obs, fresh) if obs["players"] else None,
            legal=tuple(Action.from_json(action) for action in obs["legal"]),
        )

    def _take(self, event: Event) -> list[Json]:
        """Note an event; return what of it the table's reader is to be told."""
        if "deal" in event:
            self.events, self._players = [], ()
        elif "deal_end" in event:
            self.deal_ends.append(dict(event))
        self.events.append(dict(event))
        if "bid" in event:
            return [item for note in event.get("ev", ()) for item in self._take_note(note)]
        return [at_table(event, self._players)] if "by" in event and self._players else []

    def _take_note(self, note: Event) -> list[Json]:
        """The auction's end is the beginning of the table's deal."""
        if note["code"] != "auction":
            return []
        self._players = (seat_of(note["first"]), seat_of(note["second"]))
        return [{"deal": 1, "removed": note.get("removed", [])}]

    def _read_table(self, obs: Event, fresh: list[Json]) -> SakuraObservation:
        """The table as the Sakura reader has it; who watches has no seat and no hand there."""
        players, gaji = self._players, obs["gaji"]
        watches = seat_of(obs["me"]) not in players
        # A watcher reads as seat 0, but without its hand: that is `seat=NOBODY` below.
        me = 0 if watches else players.index(seat_of(obs["me"]))
        shown = {
            **obs,
            "dealer": "p0",
            "hand_n": [obs["hand_n"][player] for player in players],
            "tray": [obs["tray"][player] for player in players],
            "gaji": {**gaji, "by": f"p{players.index(seat_of(gaji['by']))}"} if gaji else None,
            "since": fresh,
        }
        turn = players.index(seat_of(obs["turn"])) if obs["turn"] else me
        return self._table.read_as(shown, seat=NOBODY if watches else me, turn=turn)


def at_table(event: Event, players: Sequence[int]) -> Json:
    """An event with the table's own seats."""
    notes = [
        {**note, **{key: players.index(note[key]) for key in ("by", "side") if isinstance(note.get(key), int)}}
        for note in event.get("ev", ())
    ]
    return {**event, "by": f"p{players.index(seat_of(event['by']))}", "ev": notes}
