"""`hanami repro`: the failure again, at home, on the very observations."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from bots import trials
from bots.protocol.files import BotFiles
from bots.runner.player import Launcher
from bots.runner.spec import CLOCKS, Clock
from bots.uploads import read_upload
from engine.deck import bot_rng
from kit.account import account
from kit.command import warn_if, with_output, with_unsafe
from kit.commands.logs import slug_known
from kit.documents import load, seed_of
from kit.errors import BadCall, BotFailed
from kit.home import Home, LocalBot, read_bot
from kit.launching import launcher
from kit.output import Output
from kit.repeating import Failing, Repeated, failure_of, read_failure, repeat
from kit.service import Service

# Up to 18 digits fit the service's 64-bit keys, and nothing else gets into the path of a request.
OF_THE_SERVICE: Final = re.compile(r"[FfCc][1-9]\d{0,17}")


@click.command(short_help="See a failure again, question by question.")
@click.argument("failure")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("--server", help="Address of the service.")
@with_unsafe
@with_output
def repro(out: Output, failure: str, bot: Path, *, server: str | None, unsafe: bool) -> int:
    """Show BOT every question of the match of FAILURE again, up to the one it failed at.

    FAILURE: L3, kept here by `play` and `test`; F123 or C45, of a match or a check on the service; or a file with one.
    """
    local = read_bot(bot)
    with launcher(unsafe=unsafe) as plays:
        warn_if(unsafe, out)
        failing = _failing(failure, local, server, plays)
        found = repeat(failing, local.files, plays)
    print_failure(out, failing, found)
    out.finish(_document(failure, found))
    return 1 if found.code else 0


def _failing(name: str, local: LocalBot, server: str | None, plays: Launcher) -> Failing:
    path = Path(name)
    saved = load(path) if path.is_file() else Home.of(local).failure(name)
    if saved is not None:
        return read_failure(saved)
    # An id of this machine is never asked for at the service.
    if name.upper().startswith("L"):
        known = ", ".join(str(one.get("id")) for one in Home.of(local).failures()) or "none"
        raise BadCall(f"There is no failure {name} here. Kept are: {known}.")
    if not OF_THE_SERVICE.fullmatch(name):
        raise BadCall(f"{name} is no failure: they are called L3 (kept here), F123 or C45 (on the service).")
    service = Service(account(server))
    slug = slug_known(service, local)
    found = service.failure(slug, name.upper())
    # A check has no record on the service.
    if found["match"] is None:
        return _of_a_check(service, slug, int(found["version"]), plays)
    return _of_a_match(found, dict(service.record(str(found["match"]))))


def _of_a_check(service: Service, slug: str, number: int, plays: Launcher) -> Failing:
    """The match of a check that a version failed: its deals follow from the version, so it is played again here.

    Raises BotFailed if that version fails here no more.
    """
    data, document = service.source(slug, number), service.version(slug, number)
    # The presets of that version, not those of the folder now: the deals follow from both.
    upload, presets = read_upload("bot.zip", data), tuple(document["plays"])
    files = BotFiles(upload.files, upload.version_hash(presets))
    candidate = trials.Candidate(files, presets, CLOCKS[upload.clock])
    for finding in trials.run(candidate, plays):
        one = finding.failed
        if one is not None and one.forfeit is not None:
            return read_failure(failure_of(one.sitting.spec, one.played, one.forfeit))
    raise BotFailed(
        f"v{number} failed its check there and passes it here: it may be slower, or need more memory, there."
    )


def _of_a_match(failure: dict[str, Any], document: dict[str, Any]) -> Failing:
    """A failure as the API tells it, in the match that it happened in."""
    seat, seed = int(failure["seat"]), seed_of(document)
    leg = document["record"]["fair"].get("leg", 1)
    known = bot_rng(seed, leg, seat).hex() if seed is not None else None
    noted = document["view"].get("clock")
    return Failing(
        document=document,
        seat=seat,
        deal=int(failure.get("deal") or 0),
        move=int(failure.get("move") or 0),
        clock=Clock(**noted) if isinstance(noted, dict) else CLOCKS["standard"],
        rng=known,
    )


def print_failure(out: Output, failing: Failing, found: Repeated) -> None:
    """Say what the bot does now."""
    if found.log.strip():
        out.print(found.log.rstrip())
    if failing.rng is None:
        out.print(
            "hanami.rng has another seed than in the match, whose own is not revealed yet: a bot that draws lots may "
            "go another way.",
            style="yellow",
        )
    if found.went_away is not None:
        at = found.went_away
        out.print(f"Deal {at.deal}, move {at.move}: it answers otherwise than in the match.", style="yellow")
    where = "while loading" if found.at is None else f"in deal {found.at.deal}, move {found.at.move}"
    if found.code:
        message = found.message[:1].upper() + found.message[1:]
        out.print(f"It fails again, {where}: {found.code}. {message}", style="red")
    elif found.at is None:
        out.print("It loads.", style="green")
    else:
        answer = None if found.index is None else found.at.obs["legal"][found.index]
        out.print(f"It answers {where}: {answer} ({found.ms:.1f} ms)", style="green")


def _document(name: str, found: Repeated) -> dict[str, Any]:
    at = found.at
    return {
        "ok": not found.code,
        "failure": name,
        "code": found.code or None,
        "message": found.message,
        "at": None if at is None else {key: value for key, value in asdict(at).items() if key != "obs"},
        "observation": None if at is None else at.obs,
        "answer": found.index,
        "went_away": None if found.went_away is None else {"deal": found.went_away.deal, "move": found.went_away.move},
        "log": found.log,
    }
