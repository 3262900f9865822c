"""`hanami test`: what the service puts an upload through, with the same code and the same deals."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from bots import trials
from bots.runner.player import Launcher
from bots.runner.printed import readable
from bots.runner.spec import CLOCKS, Clock
from bots.trials import Finding
from bots.uploads import check_source
from kit.account import kept_runtime
from kit.command import warn_if, with_output, with_unsafe
from kit.home import Home, LocalBot, read_bot
from kit.launching import launcher
from kit.output import Output
from kit.repeating import failure_of
from kit.telling import warn_of_differences

MARKS = {True: "ok  ", False: "FAIL"}
UPLOAD_AGAIN = "Repair the bot and upload it again."
HERE_AGAIN = "Repair it and run `hanami test` again."


@click.command("test", short_help="Run the upload checks here.")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("--clock", type=click.Choice(list(CLOCKS)), help="Check with this clock; as hanami.toml says if omitted.")
@with_unsafe
@with_output
def trial(out: Output, bot: Path, *, clock: str | None, unsafe: bool) -> int:
    """Test BOT as an upload is tested: static check, start, smoke matches, 200 decisions at all kinds of tables."""
    local = read_bot(bot)
    with_clock = CLOCKS[clock] if clock else local.clock
    warn_of_differences(out, kept_runtime())
    with launcher(unsafe=unsafe) as plays:
        warn_if(unsafe, out)
        steps, failure = put_to_the_test(out, local, plays, with_clock)
    is_ok = failure is None and all(step["ok"] for step in steps)
    if failure is not None:
        out.print(f"Look at it:  hanami repro {failure}")
    elif is_ok:
        out.print('Send it:  hanami submit -m "what is new" --wait')
    hashed = local.files.version_hash
    out.finish({"ok": is_ok, "bot": local.name, "hash": hashed, "steps": steps, "failure": failure, "unsafe": unsafe})
    return 0 if is_ok else 1


def put_to_the_test(
    out: Output, bot: LocalBot, plays: Launcher, clock: Clock
) -> tuple[list[dict[str, object]], str | None]:
    """Say every step as it ends. The steps, and the id under which a failure in a match was kept."""
    problems = [*map(str, check_source(bot.upload.files)), *uncompiled(bot.upload.files)]
    steps: list[dict[str, object]] = [{"id": "static", "ok": False, "message": each} for each in problems]
    if not problems:
        steps.append({"id": "static", "ok": True, "message": "The source can be read."})
    for step in steps:
        print_step(out, step)
    # As on the service: a source that cannot be read is never started.
    if problems:
        return steps, None
    failure = None
    for finding in trials.run(trials.Candidate(bot.files, bot.plays, clock), plays):
        steps.append(finding.step())
        print_step(out, steps[-1])
        if not finding.ok:
            failure = _saved(out, bot, finding)
    return steps, failure


def print_step(out: Output, step: dict[str, object]) -> None:
    """Print one tick."""
    ok = bool(step["ok"])
    message = str(step["message"]).replace(UPLOAD_AGAIN, HERE_AGAIN)
    out.print(f"{MARKS[ok]}  {step['id']}: {message}", style="green" if ok else "red")


def _saved(out: Output, bot: LocalBot, finding: Finding) -> str | None:
    one = finding.failed
    if one is None or one.forfeit is None:
        return None
    out.print(readable(one.log))
    return Home.of(bot).save_failure(failure_of(one.sitting.spec, one.played, one.forfeit))


def uncompiled(files: Iterable[tuple[str, bytes]]) -> list[str]:
    """Return a message for each source that Python cannot compile, with file and line. One's own code only.

    The service leaves this to the sandbox: there the step `start` says it.
    """
    found = []
    for path, source in files:
        if path.endswith(".py"):
            try:
                compile(source, path, "exec", dont_inherit=True)
            except (SyntaxError, ValueError) as error:
                line = getattr(error, "lineno", None)
                found.append(f"{path}{f', line {line}' if line else ''}: {getattr(error, 'msg', error)}.")
    return found
