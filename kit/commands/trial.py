"""`hanami test`: what the service puts an upload through, with the same code and the same deals."""

from __future__ import annotations

from pathlib import Path

import click

from bots import trials
from bots.runner.player import Launcher
from bots.runner.printed import readable
from bots.trials import Finding
from bots.uploads import check_source
from kit.command import warn_if, with_output, with_unsafe
from kit.home import Home, LocalBot, read_bot
from kit.launching import launcher
from kit.output import Output
from kit.repeating import failure_of

MARKS = {True: "ok  ", False: "FAIL"}


@click.command("test", short_help="Do what an upload goes through.")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@with_unsafe
@with_output
def trial(out: Output, bot: Path, *, unsafe: bool) -> int:
    """Test BOT as an upload is tested: static check, start, smoke matches, 200 decisions at all kinds of tables."""
    local = read_bot(bot)
    with launcher(unsafe=unsafe) as plays:
        warn_if(unsafe, out)
        steps, failure = put_to_the_test(out, local, plays)
    is_ok = failure is None and all(step["ok"] for step in steps)
    if failure is not None:
        out.print(f"Look at it:  hanami repro {failure}")
    elif is_ok:
        out.print('Send it:  hanami submit -m "what is new" --wait')
    hashed = local.files.version_hash
    out.finish({"ok": is_ok, "bot": local.name, "hash": hashed, "steps": steps, "failure": failure, "unsafe": unsafe})
    return 0 if is_ok else 1


def put_to_the_test(out: Output, bot: LocalBot, plays: Launcher) -> tuple[list[dict[str, object]], str | None]:
    """Say every step as it ends. The steps, and the id under which a failure in a match was kept."""
    problems = check_source(bot.upload.files)
    steps: list[dict[str, object]] = [{"id": "static", "ok": False, "message": str(each)} for each in problems]
    if not problems:
        steps.append({"id": "static", "ok": True, "message": "The source can be read."})
    for step in steps:
        print_step(out, step)
    # As on the service: a source that cannot be read is never started.
    if problems:
        return steps, None
    failure = None
    for finding in trials.run(trials.Candidate(bot.files, bot.plays), plays):
        steps.append(finding.step())
        print_step(out, steps[-1])
        if not finding.ok:
            failure = _saved(out, bot, finding)
    return steps, failure


def print_step(out: Output, step: dict[str, object]) -> None:
    """Print one tick."""
    ok = bool(step["ok"])
    out.print(f"{MARKS[ok]}  {step['id']}: {step['message']}", style="green" if ok else "red")


def _saved(out: Output, bot: LocalBot, finding: Finding) -> str | None:
    one = finding.failed
    if one is None or one.forfeit is None:
        return None
    out.print(readable(one.log))
    return Home.of(bot).save_failure(failure_of(one.sitting.spec, one.played, one.forfeit))
