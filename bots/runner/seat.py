"""One seat of a table: its bot's process, its clock, its faults and what was read off it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from bots.errors import BotFault
from bots.protocol.messages import LOG_CAP
from bots.runner.player import Launcher, Player
from bots.runner.spec import MatchSpec
from engine.deck import bot_rng
from engine.match import Match


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds of one move: CPU of the bot, and from the question to the answer by the clock on the wall.

    The wall's are read, and decide nothing: they measure the machine's load as well.
    """

    cpu_ms: int
    wall_ms: int


NOT_ASKED: Final = Spent(0, 0)


@dataclass(frozen=True, slots=True)
class SeatReading:
    """Readings of the table at one seat's bot.

    log: its private output. offsets: (deal, move, size of the log after the bot answered), deal 0 for loading.
    cpu_ms: all CPU it used. code: the fault it forfeited with, if it did. bank_ms: what it used of its bank, by deal.
    """

    log: bytes
    offsets: tuple[tuple[int, int, int], ...]
    cpu_ms: float
    code: str | None
    bank_ms: Mapping[int, int] = field(default_factory=dict)


def hello(spec: MatchSpec, match: Match, seat: int) -> dict[str, object]:
    """The hello of Protocol v1 without `v` and `files`, which the protocol adds. It names no opponent."""
    return {
        "match": spec.match_id,
        "ruleset": spec.ruleset.to_json(),
        "seats": spec.seats,
        "sides": list(match.sides),
        "me": f"p{seat}",
        "clock": asdict(spec.clock),
        # From seed, leg and seat: a match that is played again gives every bot the same random numbers.
        "rng": bot_rng(spec.seed, spec.leg, seat).hex(),
    }


@dataclass(slots=True)
class Seat:
    """A seat in play. `player` is None before it is opened and again once it has forfeited or the match is over."""

    number: int
    spec: MatchSpec
    player: Player | None = None
    code: str | None = None
    _offsets: list[tuple[int, int, int]] = field(default_factory=list)
    _log: bytes = b""
    _cpu_ms: float = 0.0
    _used_ms: float = 0.0  # up to its last answer
    _q: int = 0
    _bank_ms: float = 0.0
    _bank_deal: int = 0
    _bank_used: dict[int, int] = field(default_factory=dict)
    _events_seen: int = 0

    @property
    def is_playing(self) -> bool:
        return self.player is not None

    def open(self, launcher: Launcher, match: Match) -> None:
        """Start the bot and load its source; one that cannot be loaded forfeits, deal 0. Raises InfraFault."""
        self.player = launcher.launch(self.spec.clock)
        try:
            self.player.load(hello(self.spec, match, self.number), self.spec.bots[self.number].files)
        except BotFault as fault:
            self._forfeit(match, fault, 0, 0)
        else:
            self._used_ms = self.player.spent_ms
            self._note_log(0, 0)

    def decide(self, match: Match, choices: int) -> tuple[int, Spent]:
        """Ask the bot: (index of the action, what that took). A fault forfeits, and the first action is played.

        What the bot used up to its fault is charged like any move. choices: the number of legal actions, two or more.
        Raises InfraFault.
        """
        assert self.player is not None
        deal, move = match.deal, match.move + 1
        allowance = self._allowance_ms(deal)
        obs = match.observation(
            self.number,
            match_id=self.spec.match_id,
            preset=self.spec.preset,
            since=self._events_seen,
            ms_left=allowance,
        )
        self._events_seen = match.event_count
        self._q += 1
        asked_at = time.monotonic()
        try:
            index = self.player.ask(self._q, obs, allowance)
            # The sandboxed player has looked at this already; the in-process one has not.
            if not 0 <= index < choices:
                raise BotFault("illegal", f"answer {index}, but there are {choices} legal actions")
        except BotFault as fault:
            spent = self._charge(self.player.spent_ms, asked_at)
            self._forfeit(match, fault, deal, move)
            return 0, spent
        spent = self._charge(self.player.spent_ms, asked_at)
        self._note_log(deal, move)
        return index, spent

    def _allowance_ms(self, deal: int) -> int:
        """CPU that the next answer may cost: the move's budget, what is left of the deal's bank, within the match."""
        clock = self.spec.clock
        if deal != self._bank_deal:
            self._bank_deal, self._bank_ms = deal, float(clock.bank_ms)
        # At least 1 ms, so that a seat at its limit is asked once more and forfeits with `timeout.cpu`, not by a
        # special case.
        return max(1, int(min(clock.move_ms + self._bank_ms, clock.match_ms - self._used_ms)))

    def _charge(self, spent_ms: float, asked_at: float) -> Spent:
        wall_ms = round((time.monotonic() - asked_at) * 1000)
        self._used_ms += spent_ms
        self._bank_ms = max(0.0, self._bank_ms - max(0.0, spent_ms - self.spec.clock.move_ms))
        self._bank_used[self._bank_deal] = round(self.spec.clock.bank_ms - self._bank_ms)
        return Spent(round(spent_ms), wall_ms)

    def _note_log(self, deal: int, move: int) -> None:
        assert self.player is not None
        self._offsets.append((deal, move, self.player.log_size()))

    def _forfeit(self, match: Match, fault: BotFault, deal: int, move: int) -> None:
        """The seat is out; the last line of its log, which only the owner reads, says why where no traceback does."""
        self.code = fault.code
        match.forfeit(self.number, fault.code, loading=deal == 0)
        self.close()
        if not (fault.extra.get("is_in_log") and self._log):
            self._last_words(fault)
        self._offsets.append((deal, move, len(self._log)))

    def _last_words(self, fault: BotFault) -> None:
        start = b"\n" if self._log and not self._log.endswith(b"\n") else b""
        words = start + f"hanami: forfeit, {fault.code}: {fault}\n".encode(errors="replace")
        # The end of a full log is cut for the reason: it is what its owner looks for.
        self._log = self._log[: LOG_CAP - len(words)] + words

    def close(self) -> None:
        """End the bot, keeping its log and its CPU time. May be called twice."""
        if self.player is None:
            return
        player, self.player = self.player, None
        self._cpu_ms = player.cpu_ms
        player.close()
        self._log = player.log()

    def reading(self) -> SeatReading:
        """Return what is kept of the seat, once it is closed."""
        return SeatReading(self._log, tuple(self._offsets), self._cpu_ms, self.code, self._bank_used)
