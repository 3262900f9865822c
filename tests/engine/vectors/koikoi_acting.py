"""Doing the actions of a Koi-Koi vector, one turn at a time, and noting what each did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from engine.action import Action
from engine.cards import CODES
from engine.errors import IllegalAction
from engine.games.koikoi import trace
from engine.games.koikoi.state import KoiKoiState
from tests.engine.koikoi.tables import contents
from tests.engine.vectors.given import seat_number

KNOWN: Final = frozenset(["by", "play", "take", "draw_take", "declare", "hiki", "flip"])


@dataclass
class Step:
    """The effect of one entry of `action`: the worlds before and after it, its flip and events, its refusal."""

    before: KoiKoiState
    after: KoiKoiState
    flips: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    refused: str | None = None
    unchanged: bool = False


def actions_of(entry: dict[str, Any]) -> list[Action]:
    """The actions that an entry stands for: a hand card, the choice for the flip, a declaration."""
    parts: list[dict[str, Any]] = [{key: entry[key] for key in ("play", "take") if key in entry}]
    parts += [{key: entry[key]} for key in ("draw_take", "declare", "hiki") if key in entry]
    return [Action.from_json(part) for part in parts if part]


class Actor:
    """Plays the entries of `action` on one world."""

    def __init__(self, state: KoiKoiState) -> None:
        self.state = state

    def run(self, entry: dict[str, Any]) -> Step:
        """Play one entry. A turn is refused as a whole."""
        unknown = set(entry) - KNOWN
        assert not unknown, f"the adapter does not know these keys of action: {sorted(unknown)}"
        before = self.state.copy()
        step = Step(before, self.state)
        try:
            for action in actions_of(entry):
                self._do(action, seat_number(entry["by"]) if "by" in entry else self.state.turn, step)
        except IllegalAction as error:
            step.refused, step.unchanged = error.code, contents(self.state) == contents(before)
            self.state = before.copy()
        if "flip" in entry:
            assert step.flips == [entry["flip"]], f"{step.flips} was turned up, not {entry['flip']}"
        step.after = self.state.copy()
        return step

    def _do(self, action: Action, seat: int, step: Step) -> None:
        """Do an action twice: as bots do it, and told step by step. Both must lead to the same world."""
        position, twin = self.state.position, self.state.copy()
        self.state.apply(action, seat=seat)
        played = trace.play(twin, twin.resolve(action, seat=seat))
        step.events += [str(note["code"]) for note in played.notes]
        twin.notes, self.state.notes = [], []
        assert contents(twin) == contents(self.state), "an action told is another than the action done"
        if self.state.position > position:
            step.flips.append(CODES[self.state.pile[position]])
