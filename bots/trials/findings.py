"""Findings of a trial as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bots.localization import LocalizedMessage, gettext_noop, render_message
from bots.protocol.messages import Fault
from bots.runner.printed import readable
from bots.runner.table import Played
from bots.trials.tables import OPPONENTS, Sitting
from engine.game import Forfeit

START: Final = "start"
STATES: Final = "states"
LIMIT: Final = "limit"

MEANING: Final[Mapping[str, str]] = {
    Fault.CRASH: gettext_noop("it raised an error; the log below has the traceback"),
    Fault.TIMEOUT_CPU: gettext_noop("it used more CPU time than the clock allows"),
    Fault.TIMEOUT_WALL: gettext_noop("it did not answer in time"),
    Fault.MEMORY: gettext_noop("it used more memory than allowed"),
    Fault.PROTOCOL: gettext_noop("it sent something that is not an answer"),
    Fault.ILLEGAL: gettext_noop('its answer is not one of obs["legal"]'),
}
RAISED: Final = gettext_noop("it raised an error (%(error)s); the log below has the traceback")
SIZES: Final = gettext_noop(
    "%(asked)s decisions at tables of %(low)s to %(high)s seats against random players: all legal; the"
    " slowest took %(ms)s of the %(limit)s ms that are free in each move."
)
ONE_SIZE: Final = gettext_noop(
    "%(asked)s decisions at tables of %(low)s seats against random players: all legal; the"
    " slowest took %(ms)s of the %(limit)s ms that are free in each move."
)
TRACEBACK: Final = "Traceback (most recent call last)"
MAX_ERROR: Final = 160
"""Characters of an error that a finding repeats."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One match of a trial as it ended: the candidate's forfeit, if any, how often it was asked, its slowest answer."""

    sitting: Sitting
    played: Played
    forfeit: Forfeit | None
    asked: int
    slowest_ms: int

    @property
    def log(self) -> bytes:
        """Return what the candidate printed."""
        return self.played.seats[self.sitting.seat].log

    @property
    def moves(self) -> int:
        """Moves of the whole match."""
        return sum(len(deal["moves"]) for deal in self.played.document["record"]["deals"])

    def to_json(self) -> dict[str, object]:
        """The figures of a match as a check keeps them."""
        record, reading = self.played.document["record"], self.played.seats[self.sitting.seat]
        return {
            "preset": self.sitting.spec.preset,
            "seats": len(record["seats"]),
            "deals": len(record["deals"]),
            "moves": self.moves,
            "cpu_ms": round(reading.cpu_ms),
            "forfeit": None if self.forfeit is None else self.forfeit.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One step of a trial. id: `start`, `smoke.<preset>`, `limit`, `states`. code: of the fault, "" if it went well."""

    id: str
    ok: bool
    text: LocalizedMessage
    code: str
    tried: tuple[Tried, ...]

    @property
    def failed(self) -> Tried | None:
        """The match in which the candidate failed."""
        return next((one for one in self.tried if one.forfeit is not None), None)

    def step(self, translate: Callable[[str], str] = str) -> dict[str, object]:
        """Return what was tried, whether it worked, what to do: as `Check.result["steps"]` holds it."""
        step: dict[str, object] = {"id": self.id, "ok": self.ok, "message": render_message(self.text, translate)}
        return step if self.ok else {**step, "code": self.code}


def tried(sitting: Sitting, played: Played) -> Tried:
    """Read off a match how the candidate did in it."""
    seat, deals = sitting.seat, played.document["view"]["deals"]
    times = [move["ms"] or 0 for deal in deals for move in deal["moves"] if move["a"]["by"] == f"p{seat}"]
    forfeit = next((fault for fault in played.forfeits if fault.seat == seat), None)
    # Deal 0 is the loading.
    answered = sum(1 for deal, _move, _size in played.seats[seat].offsets if deal)
    return Tried(sitting, played, forfeit, answered, max(times, default=0))


def start_of(first: Tried) -> Finding:
    """Return whether it could be loaded, told from the first match."""
    spec = first.sitting.spec
    if first.forfeit is not None and not first.forfeit.deal:
        return _failed(START, first, (first,))
    message = gettext_noop("Loaded in the sandbox; it may take %(ms)s ms of CPU for that.")
    return Finding(START, True, LocalizedMessage(message, {"ms": spec.clock.load_ms}), "", (first,))


def smoke_of(preset: str, one: Tried) -> Finding:
    """Return how a smoke match went."""
    if one.forfeit is not None:
        return _failed(f"smoke.{preset}", one, (one,))
    spec = one.sitting.spec
    opponents = ", ".join(OPPONENTS[: spec.seats - 1])
    deals = len(one.played.document["record"]["deals"])
    message = gettext_noop("%(preset)s: %(deals)s deals against %(opponents)s, no fault.")
    text = LocalizedMessage(message, {"preset": preset, "deals": deals, "opponents": opponents})
    return Finding(f"smoke.{preset}", True, text, "", (one,))


def states_of(every: Sequence[Tried]) -> Finding:
    """Return how it answered in positions of all kinds."""
    failed = next((one for one in every if one.forfeit is not None), None)
    if failed is not None:
        return _failed(STATES, failed, tuple(every))
    clock = every[0].sitting.spec.clock
    seats = [one.sitting.spec.seats for one in every]
    message = SIZES if min(seats) < max(seats) else ONE_SIZE
    values: dict[str, str | int | LocalizedMessage] = {
        "asked": sum(one.asked for one in every),
        "low": min(seats),
        "high": max(seats),
        "ms": max(one.slowest_ms for one in every),
        "limit": clock.move_ms,
    }
    return Finding(STATES, True, LocalizedMessage(message, values), "", tuple(every))


def limit_of(last: Tried, used_ms: float, limit_s: float) -> Finding:
    """Return the finding that all its smoke matches used more CPU than a whole trial may cost."""
    message = gettext_noop(
        "The check used %(used)s s of CPU; the limit for all is %(limit)s. Think less in each move, or declare "
        "fewer presets, and upload it again."
    )
    text = LocalizedMessage(message, {"used": round(used_ms / 1000), "limit": round(limit_s)})
    return Finding(LIMIT, False, text, Fault.TIMEOUT_CPU.value, (last,))


def _failed(step: str, one: Tried, every: tuple[Tried, ...]) -> Finding:
    assert one.forfeit is not None
    where = LocalizedMessage(gettext_noop("while loading"), {})
    if one.forfeit.deal:
        place: dict[str, str | int | LocalizedMessage] = {"deal": one.forfeit.deal, "move": one.forfeit.move}
        where = LocalizedMessage(gettext_noop("in deal %(deal)s, move %(move)s"), place)
    code = one.forfeit.code
    # Data, not a finished sentence: the job says it in the owner's language, the kit in English.
    message = gettext_noop("%(preset)s: %(code)s %(where)s: %(meaning)s. Repair the bot and upload it again.")
    values: dict[str, str | int | LocalizedMessage] = {
        "preset": one.sitting.spec.preset,
        "code": code,
        "where": where,
        "meaning": _meaning(one, code),
    }
    return Finding(step, False, LocalizedMessage(message, values), code, every)


def _meaning(one: Tried, code: str) -> LocalizedMessage:
    """Return what the fault means; of a crash with the last line of its traceback, which names the error."""
    error = _error_in(readable(one.log)) if code == Fault.CRASH else ""
    return LocalizedMessage(RAISED, {"error": error}) if error else LocalizedMessage(MEANING[code], {})


def _error_in(log: str) -> str:
    _before, head, after = log.rpartition(TRACEBACK)
    lines = after.split("\n")[1:] if head else []
    return next((line[:MAX_ERROR] for line in lines if line and not line.startswith(" ")), "")
