"""`hanami watch`: test and play again whenever a file of the bot changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click
from watchfiles import watch as changes

from engine.errors import DomainError
from kit.command import warn_if, with_contest, with_output, with_unsafe
from kit.commands.play import players_of, report, run, settings_of
from kit.commands.trial import put_to_the_test
from kit.contest import arrange
from kit.errors import UNWELL, exit_code
from kit.home import read_bot, uploaded
from kit.launching import launcher
from kit.output import Output

LOOK_MS: Final = 500
"""At least so often is it looked whether something changed: on some file systems nobody tells."""


@click.command(short_help="Test and play again whenever you save.")
@click.argument("bot", default=".", type=click.Path(path_type=Path, exists=True))
@click.argument("others", nargs=-1)
@click.option("--deals", type=click.IntRange(0), default=20, show_default=True, help="Deal sets a round; 0: only test.")
@click.option("--times", type=click.IntRange(1), help="Leave after that many rounds; never if omitted.")
@with_contest
@with_unsafe
@with_output
def watch(out: Output, bot: Path, others: tuple[str, ...], *, times: int | None, unsafe: bool, **wished: Any) -> int:
    """Test BOT, play it against OTHERS (house:greedy if omitted), and again whenever it is saved. Ctrl-C ends it."""
    code = 0
    try:
        for number, _ in enumerate(_rounds(bot), start=1):
            code = _round(out, bot, others, unsafe=unsafe, wished=wished)
            if number == times:
                break
            out.print("Waiting for a change. Ctrl-C ends this.", style="dim")
    except KeyboardInterrupt:
        out.print("")
    return code


def _rounds(bot: Path) -> Iterator[None]:
    """Yield at once, then whenever the bot differs from that of the round before, also if it was saved meanwhile."""
    folder = bot if bot.is_dir() else bot.resolve().parent
    # Before the first round: a file that is saved during a round then differs after it.
    tried = _state(bot)
    yield
    for _ in changes(folder.resolve(), yield_on_timeout=True, rust_timeout=LOOK_MS, raise_interrupt=True):
        now = _state(bot)
        # Contents, not times: an editor that saves the same text, or touches a file that is not uploaded, starts no
        # round.
        if now != tried:
            tried = now
            yield


def _state(bot: Path) -> dict[Path, bytes]:
    """Return what belongs to the bot now, file by file; a file that is just being replaced counts as gone."""
    found = {}
    for path in uploaded(bot) if bot.is_dir() else [bot]:
        with suppress(FileNotFoundError):
            found[path] = path.read_bytes()
    return found


def _round(out: Output, bot: Path, others: tuple[str, ...], *, unsafe: bool, wished: dict[str, Any]) -> int:
    """Test, and play if that went well; a failure of the bot is said and waits for the next change."""
    try:
        local = read_bot(bot)
        with launcher(unsafe=unsafe) as plays:
            warn_if(unsafe, out)
            steps, failure = put_to_the_test(out, local, plays, local.clock)
            if failure is not None or not all(step["ok"] for step in steps):
                out.finish({"ok": False, "steps": steps, "failure": failure})
                return 1
            if not wished["deals"]:
                out.finish({"ok": True, "steps": steps, "failure": None})
                return 0
            contest = arrange(players_of([str(bot), *others]), settings_of(wished))
            found = run(out, contest, plays, jobs=wished["jobs"], unsafe=unsafe)
        report(out, contest, found)
    except DomainError as error:
        # No change to the bot mends this machine, so waiting for one would never end.
        if exit_code(error) == UNWELL:
            raise
        out.print(str(error), style="red")
        out.finish({"ok": False, "error": {"code": error.code, "message": str(error)}})
        return exit_code(error)
    return 1 if found.failures else 0
