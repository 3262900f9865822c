"""The error tree of the project, from the bottom up.

DomainError > EngineError > IllegalAction (refused now, the state is unchanged; code: Refusal), BadOption (BAD_OPTION),
BadSeating (BAD_SEATING), BadAction (action.malformed), BadCard (card.unknown), BadRecord (record.*), BadData (data.*),
NoWorld (world.none).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.action import Action


class DomainError(Exception):
    """Something the domain refuses. `code` is stable, the message may change, `extra` is data for machines."""

    code: str = "error"

    def __init__(self, message: str, *, code: str | None = None, extra: dict[str, object] | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
        self.extra: dict[str, object] = extra or {}

    def __reduce__(self) -> tuple[object, ...]:
        # Past __init__, which takes more than the message in some classes: an error that another process cannot read
        # breaks its pool, and the reason is lost.
        return _read_again, (type(self), self.args, vars(self))


def _read_again(kind: type[DomainError], args: tuple[object, ...], values: dict[str, object]) -> DomainError:
    """Return an error of another process as it was there."""
    error = kind.__new__(kind, *args)
    vars(error).update(values)
    return error


class EngineError(DomainError):
    """Any refusal of the rules engine."""

    code = "engine.error"


class Refusal(StrEnum):
    """Reason for which an action is refused: the table of rules.md 3.1, in its own order."""

    NOT_IN_PRESET = "NOT_IN_PRESET"
    HAND_EMPTY = "HAND_EMPTY"
    NOT_A_HIKI = "NOT_A_HIKI"
    CAPTURE_REQUIRED = "CAPTURE_REQUIRED"
    CHOICE_REQUIRED = "CHOICE_REQUIRED"
    NO_MATCH = "NO_MATCH"
    RETURN_NOT_ALLOWED = "RETURN_NOT_ALLOWED"
    NO_SAGE = "NO_SAGE"
    BID_REQUIRED = "BID_REQUIRED"
    MUST_DISCARD = "MUST_DISCARD"
    WRONG_PHASE = "WRONG_PHASE"
    DEAL_OVER = "DEAL_OVER"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    NOT_IN_HAND = "NOT_IN_HAND"
    BAD_TARGET = "BAD_TARGET"
    BLOCKED_TARGET = "BLOCKED_TARGET"
    BID_TOO_HIGH = "BID_TOO_HIGH"
    ILLEGAL_DISCARD = "ILLEGAL_DISCARD"
    STOP_NOT_ALLOWED = "STOP_NOT_ALLOWED"
    COMMITTED = "COMMITTED"


MEANING: dict[Refusal, str] = {
    Refusal.NOT_IN_PRESET: "the rules of this match do not have it",
    Refusal.HAND_EMPTY: "the hand is empty, only the flip is left",
    Refusal.NOT_A_HIKI: "the four cards of the month are not all in the own hand or on the field",
    Refusal.CAPTURE_REQUIRED: "a card that matches must capture",
    Refusal.CHOICE_REQUIRED: "more than one card can be taken, name one",
    Refusal.NO_MATCH: "no card of its month lies on the field, name no target",
    Refusal.RETURN_NOT_ALLOWED: "the Gaji may not go back to the hand here",
    Refusal.NO_SAGE: "only who has called sage in this deal may cancel",
    Refusal.BID_REQUIRED: "every player must bid, at least the lowest bid",
    Refusal.MUST_DISCARD: "a card in the hand follows, so one must be discarded",
    Refusal.WRONG_PHASE: "something else is to be decided now",
    Refusal.DEAL_OVER: "the deal has ended",
    Refusal.NOT_YOUR_TURN: "another seat decides",
    Refusal.NOT_IN_HAND: "the card is not in the hand",
    Refusal.BAD_TARGET: "the target is not on the field or does not match",
    Refusal.BLOCKED_TARGET: "that month was already forbidden in this turn",
    Refusal.BID_TOO_HIGH: "the bid is above the highest one allowed",
    Refusal.ILLEGAL_DISCARD: "the card does not follow the one on top",
    Refusal.STOP_NOT_ALLOWED: "a turn cannot stop here",
    Refusal.COMMITTED: "who declared mizuten must play",
}


class IllegalAction(EngineError):
    """Refused now; the state is unchanged. `legal` is what would be accepted, in canonical order."""

    def __init__(self, code: Refusal, action: Action, legal: tuple[Action, ...]) -> None:
        choices = ", ".join(str(choice) for choice in legal) or "nothing"
        super().__init__(f"{action}: {MEANING[code]} ({code}). Legal now: {choices}.", code=str(code))
        self.action = action
        self.legal = legal


class BadOption(EngineError):
    """A ruleset names an option or a value that does not exist. Raised when the ruleset is built."""

    code = "BAD_OPTION"


class BadSeating(EngineError):
    """The number of players and the teams do not fit (rules.md 4.2)."""

    code = "BAD_SEATING"


class BadAction(EngineError):
    """An action, as JSON or as text, that no game has."""

    code = "action.malformed"


class BadCard(EngineError):
    """A card code that does not exist."""

    code = "card.unknown"


class BadRecord(EngineError):
    """A record that cannot be read or does not re-derive. `where` names the deal, move or card."""

    code = "record.malformed"

    def __init__(self, message: str, *, code: str, where: str = "") -> None:
        super().__init__(message, code=code, extra={"where": where})
        self.where = where


class BadData(EngineError):
    """Files of decisions that are not there, not whole or of another format (`engine.data`)."""

    code = "data.format"


class NoWorld(EngineError):
    """No world fits an observation: it was not made by this engine."""

    code = "world.none"
