"""The smoke match of an upload: one short match per declared preset against house bots.

Claimed before any match, by the same claim-and-lease code. The first version of a bot that passes is activated by
itself. The log is its owner's alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from bots.house import house_files
from bots.jobs import attempts, claims
from bots.jobs.claims import LeaseLost
from bots.jobs.loading import files_of
from bots.jobs.process import Process
from bots.journal import Note, audit, tell, tell_queue
from bots.models import Blob, Bot, BotVersion, Check
from bots.protocol.messages import Fault
from bots.runner.spec import STANDARD, MatchSpec
from bots.runner.table import Played, play
from engine.deck import commitment
from engine.game import Forfeit, Ruleset, game_of
from engine.games import PRESETS, option_table, ruleset

DEALS: Final = 2
"""Of a smoke match, where the game has a number of deals; other games are played as the preset says."""
OPPONENTS: Final = ("random", "greedy", "yaku")
"""The candidate's opponents, in seat order; a game with fewer seats takes the first ones."""

MEANING: Final[dict[str, str]] = {
    Fault.CRASH: "it raised an error; the log below has the traceback",
    Fault.TIMEOUT_CPU: "it used more CPU time than the clock allows",
    Fault.TIMEOUT_WALL: "it did not answer in time",
    Fault.MEMORY: "it used more memory than it may",
    Fault.PROTOCOL: "it sent something that is no answer",
    Fault.ILLEGAL: 'its answer is not one of obs["legal"]',
}


@dataclass(frozen=True, slots=True)
class Smoke:
    """One smoke match: the preset, how long it was, how the candidate fell out of it (None: it did not)."""

    preset: str
    seats: int
    deals: int
    forfeit: Forfeit | None
    moves: int
    cpu_ms: int
    log: bytes

    def to_json(self) -> dict[str, object]:
        """As `Check.result["matches"]` holds it."""
        fault = None if self.forfeit is None else self.forfeit.to_json()
        figures = {"seats": self.seats, "deals": self.deals, "moves": self.moves, "cpu_ms": self.cpu_ms}
        return {"preset": self.preset, **figures, "forfeit": fault}

    def step(self) -> dict[str, object]:
        """As `Check.result["steps"]` holds it: what was tried, whether it worked, what to do."""
        if self.forfeit is None:
            message = _("%(preset)s: %(deals)s deals against %(opponents)s, no fault.")
            opponents = ", ".join(OPPONENTS[: self.seats - 1])
            shown = {"preset": self.preset, "deals": self.deals, "opponents": opponents}
            return {"id": f"smoke.{self.preset}", "ok": True, "message": message % shown}
        where = _("while loading") if not self.forfeit.deal else _("in deal %(deal)s, move %(move)s")
        shown = {"preset": self.preset, "code": self.forfeit.code, "meaning": MEANING[self.forfeit.code]}
        message = _("%(preset)s: %(code)s %(where)s: %(meaning)s. Repair it and upload it again.")
        places = {"deal": self.forfeit.deal, "move": self.forfeit.move}
        return {
            "id": f"smoke.{self.preset}",
            "ok": False,
            "code": self.forfeit.code,
            "message": message % {**shown, "where": where % places},
        }


def play_waiting(process: Process) -> int:
    """Claim and play one check. Returns how many were played (0: none waits)."""
    rows = Check.objects.select_related("version__bot")
    batch = claims.claim(Check.objects.all(), rows=rows, worker=process.worker, limit=1, on_claim=_claimed)
    played = attempts.play_rows(batch, TRADE, process) if batch.rows else 0
    if played:
        tell_queue()
    return played


def waiting() -> int:
    """How many checks could be claimed now."""
    return Check.objects.filter(state=Check.State.QUEUED).count()


def _claimed(rows: list[Check]) -> None:
    tell(*(note for row in rows for note in notes(row, Check.State.CLAIMED)))


def notes(check: Check, state: str) -> Sequence[Note]:
    """What the bot's page is told."""
    return (Note(f"b:{check.version.bot.slug}", "check.change", {"n": check.version.n, "state": state}),)


def play_check(check: Check, pulse: Callable[[], None], process: Process) -> None:
    """Play every smoke match of one upload and record the finding. Raises what `attempts.attempt` sorts out."""
    smokes = []
    for preset in check.version.plays:
        smokes.append(_smoke(check, preset, pulse, process))
        if smokes[-1].forfeit is not None:
            break
    record(check, smokes)


def _smoke(check: Check, preset: str, pulse: Callable[[], None], process: Process) -> Smoke:
    played = play(spec_of(check.version, preset), process.launcher(), pulse=pulse)
    attempts.judge_walls(check, played)
    faults = [fault for fault in played.forfeits if fault.seat == 0]
    deals = played.document["record"]["deals"]
    return Smoke(
        preset=preset,
        seats=len(played.seats),
        deals=len(deals),
        forfeit=faults[0] if faults else None,
        moves=sum(len(deal["moves"]) for deal in deals),
        cpu_ms=round(played.seats[0].cpu_ms),
        log=_log_of(preset, played),
    )


def _log_of(preset: str, played: Played) -> bytes:
    return f"=== {preset} ===\n".encode() + played.seats[0].log + b"\n" if played.seats[0].log else b""


def spec_of(version: BotVersion, preset: str) -> MatchSpec:
    """A short match of the version against house bots; the same version always gets the same deals."""
    seed = hashlib.sha256(f"hanami/check/1 {version.hash} {preset}".encode()).digest()
    stage = commitment(b"check")
    seats = seats_of(preset)
    return MatchSpec(
        match_id=str(version.uuid),
        ruleset=short_rules(preset),
        preset=preset,
        seats=seats,
        seed=seed,
        leg=1,
        fair={"stage": stage, "commit": commitment(seed), "deal_set": str(version.uuid), "leg": 1},
        bots=(files_of(version.pk), *(house_files(name) for name in OPPONENTS[: seats - 1])),
        clock=STANDARD,
    )


def seats_of(preset: str) -> int:
    """Seats of a smoke match: the candidate and all opponents, or as near to that as the game allows."""
    low, high = game_of(PRESETS[preset].game).seat_range
    return min(max(low, len(OPPONENTS) + 1), high)


def short_rules(preset: str) -> Ruleset:
    """The preset with few deals; as it is if its matches have no number of deals."""
    has_rounds = any(info.id == "rounds" for info in option_table(PRESETS[preset].game))
    return ruleset(preset, rounds=DEALS) if has_rounds else ruleset(preset)


def record(check: Check, smokes: Sequence[Smoke]) -> None:
    """Write the finding once, guarded by attempt and lease. Raises LeaseLost if the claim is gone."""
    passed = all(smoke.forfeit is None for smoke in smokes)
    before = [step for step in check.result.get("steps", []) if step["id"] == "static"]
    result = {
        "ok": passed,
        "steps": [*before, *(smoke.step() for smoke in smokes)],
        "matches": [smoke.to_json() for smoke in smokes],
    }
    text = b"".join(smoke.log for smoke in smokes)
    with transaction.atomic():
        blob = Blob.objects.put(text) if text else None
        done = claims.held(check).update(
            state=Check.State.DONE, result=result, log=blob, lease=None, finished_at=timezone.now()
        )
        if not done:
            raise LeaseLost(f"check {check.pk}, attempt {check.attempt}: taken back before it was recorded")
        _settle_version(check.version, passed=passed)
        tell(*notes(check, Check.State.DONE))


def _settle_version(version: BotVersion, *, passed: bool) -> None:
    state = BotVersion.State.READY if passed else BotVersion.State.FAILED
    checking = BotVersion.objects.filter(pk=version.pk, state=BotVersion.State.CHECKING)
    if not checking.update(state=state):
        return
    audit("version.checked", f"version:{version.uuid}", actor=None, after={"state": state})
    first = Bot.objects.filter(pk=version.bot_id, active_version__isnull=True)
    is_shown = BotVersion.objects.filter(pk=version.pk, hidden_at=None).exists()  # one held meanwhile may be hidden
    if passed and is_shown and first.update(active_version=version):
        audit("version.activate", f"version:{version.uuid}", actor=None, after={"n": version.n})


TRADE: Final = attempts.Trade(play=play_check, notes=notes)
