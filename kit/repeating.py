"""A match played again, decision by decision, for one of its seats: what the bot was shown, and what it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bots.errors import BotFault
from bots.protocol.files import BotFiles
from bots.runner.asking import asked_at, questions
from bots.runner.player import Launcher
from bots.runner.printed import readable
from bots.runner.spec import Clock, MatchSpec
from bots.runner.table import Played
from engine.deck import bot_rng
from engine.game import Forfeit
from engine.record_read import Reading, read_document
from kit.errors import BotFailed


@dataclass(frozen=True, slots=True)
class Decision:
    """One question to a seat, as it was asked in the match. index: what was played; None where the seat forfeited."""

    number: int
    deal: int
    move: int
    allowance_ms: int
    obs: dict[str, Any]
    index: int | None


@dataclass(frozen=True, slots=True)
class Failing:
    """A seat of a match whose bot failed, or may. rng: hex, of its hello; None where it is not known.

    document: the record. deal, move: of the forfeit, 0 while loading. clock: of the match.
    """

    document: dict[str, Any]
    seat: int
    deal: int
    move: int
    clock: Clock
    rng: str | None


def failure_of(spec: MatchSpec, played: Played, forfeit: Forfeit) -> dict[str, Any]:
    """A failure as it is kept: enough to repeat it, with what the owner wants to see at once."""
    seat, deal, move = forfeit.seat, forfeit.deal, forfeit.move
    return {
        "code": forfeit.code,
        "match": spec.match_id,
        "preset": spec.preset,
        "seat": seat,
        "deal": deal,
        "move": move,
        "log": readable(played.seats[seat].log),
        "observation": asked_at(played.document, seat, deal, move) if deal else None,
        "clock": asdict(spec.clock),
        "rng": bot_rng(spec.seed, spec.leg, seat).hex(),
        "document": played.document,
    }


def read_failure(document: Mapping[str, Any]) -> Failing:
    """A failure as `failure_of` made it. Raises BotFailed for what is none."""
    try:
        return Failing(
            document=dict(document["document"]),
            seat=int(document["seat"]),
            deal=int(document["deal"]),
            move=int(document["move"]),
            clock=Clock(**document["clock"]),
            rng=document.get("rng"),
        )
    except (KeyError, TypeError, ValueError) as error:
        message = "This is no failure as the kit keeps them. Name one of `hanami logs --local`, or F123 of the service."
        raise BotFailed(message, code="kit.no_failure") from error


def decisions(failing: Failing) -> Iterator[Decision]:
    """Every question that the seat was asked, until it failed or the match ended. Raises BadRecord."""
    for asked in questions(failing.document, failing.seat):
        is_last = (asked.deal, asked.move) == (failing.deal, failing.move)
        # There the record holds the first legal action, which a seat plays once it has forfeited; not the bot's answer.
        index = None if is_last else asked.index
        yield Decision(asked.number, asked.deal, asked.move, asked.allowance_ms, asked.observation(), index)
        if is_last:
            return


@dataclass(frozen=True, slots=True)
class Repeated:
    """The result of a repetition. at: the decision it came to; code: of its fault, "" if it has none; index: its
    answer.

    went_away: the first decision at which it answered otherwise than in the match; then it is another match.
    """

    at: Decision | None
    code: str
    message: str
    index: int | None
    went_away: Decision | None
    log: str
    ms: float


def repeat(failing: Failing, bot: BotFiles, launcher: Launcher) -> Repeated:
    """Show a bot every question of the match again, up to the one that failed. Raises InfraFault, BadRecord."""
    reading = read_document(failing.document)
    player = launcher.launch(failing.clock)
    diverged: Decision | None = None
    at: Decision | None = None
    index: int | None = None
    code = message = ""
    try:
        player.load(_hello(failing, reading), bot.files)
        for at in decisions(failing) if failing.deal else ():
            index = player.ask(at.number, at.obs, at.allowance_ms)
            if not 0 <= index < len(at.obs["legal"]):
                raise BotFault("illegal", f"answer {index}, but there are {len(at.obs['legal'])} legal actions")
            # It is asked on all the same: the questions come from the record, so the failing one is still reached.
            if diverged is None and at.index is not None and index != at.index:
                diverged = at
    except BotFault as fault:
        code, message, index = fault.code, str(fault), None
    finally:
        player.close()
    return Repeated(at, code, message, index, diverged, readable(player.log()), player.spent_ms)


def _hello(failing: Failing, reading: Reading) -> dict[str, object]:
    sides: Sequence[int] = reading.ruleset.sides(len(reading.bots))
    return {
        "match": reading.match_id,
        "ruleset": reading.ruleset.to_json(),
        "seats": len(reading.bots),
        "sides": list(sides),
        "me": f"p{failing.seat}",
        "clock": asdict(failing.clock),
        # Not known before the seed is revealed; `hanami repro` says that a bot which draws lots may then go another
        # way.
        "rng": failing.rng or "0" * 32,
    }
