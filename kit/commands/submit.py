"""`hanami submit`: send a version, see its ticks, and what plays afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from bots.uploads import check_source, zip_files
from kit.account import account
from kit.command import with_output
from kit.commands.trial import uncompiled
from kit.errors import BotFailed, ServiceError
from kit.home import Home, LocalBot, read_bot
from kit.output import Output
from kit.service import Service
from kit.telling import tell_entries, tell_ready, warn_of_differences

PASSED: Final = {"passed": "ok  ", "ok": "ok  ", "failed": "FAIL"}


@click.command(short_help="Send a version to the service.")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("-m", "--message", "note", default="", help="A note that stands with the version.")
@click.option("--wait", is_flag=True, help="Stay until it was checked.")
@click.option("--activate", is_flag=True, help="Wait, and let it play from now on if it passes its check.")
@click.option("--timeout", "deadline_s", type=click.FloatRange(1), default=600.0, show_default=True, metavar="SECONDS")
@click.option("--server", help="Address of the service.")
@with_output
def submit(
    out: Output, bot: Path, *, note: str, wait: bool, activate: bool, deadline_s: float, server: str | None
) -> int:
    """Send BOT to the service. The same files sent again are the same version, however often."""
    local, service = read_bot(bot), Service(account(server))
    # The service would say the same after the upload, as it checks with the same code.
    if problems := [*map(str, check_source(local.upload.files)), *uncompiled(local.upload.files)]:
        raise BotFailed("\n".join(problems), code="bot.static_failed")
    slug = slug_of(service, local)
    warn_of_differences(out, service.runtime())
    number = int(service.send(slug, local, note)["n"])
    # Only now: the service gives the number.
    Home.of(local).save_version(number, zip_files(local.upload.files))
    page = f"{service.account.server}/b/{slug}/v/{number}/"
    out.print(f"{local.name} v{number}: {page}")
    last = _followed(out, service, slug, number, deadline_s if wait or activate else None)
    if activate and last["state"] == "ready":
        last = service.activate(slug, number)
    active = _told(out, service, slug, last)
    is_ok = last["state"] != "failed"
    out.finish({"ok": is_ok, "bot": slug, "n": number, "url": page, "active": active, **_summary(last)})
    return 0 if is_ok else 1


def _followed(out: Output, service: Service, slug: str, number: int, deadline_s: float | None) -> dict[str, Any]:
    """Show the ticks of a version, and return how it stands now. deadline_s: None for one look."""
    shown: set[str] = set()
    # Asked again, not read from the answer to the upload: files that were sent before are answered as they were then.
    last = service.version(slug, number)
    _show(out, last, shown)
    if deadline_s is not None:
        for last in service.wait(slug, number, deadline_s=deadline_s):
            _show(out, last, shown)
    return last


def _told(out: Output, service: Service, slug: str, version: dict[str, Any]) -> int | None:
    """Say what became of a version, what plays now, and what to do next. Returns the number of what plays."""
    number, state = int(version["n"]), version["state"]
    active = service.one(slug)["active"]
    if state == "checking":
        out.print("It is being checked. See what comes of it:  hanami status")
    elif state == "failed":
        _tell_failure(out, service, slug, version)
    elif state == "ready":
        tell_ready(out, number, active)
        if active == number:
            tell_entries(out, version, service.entries(slug), service.ladders())
    else:
        out.print(f"v{number} is {state}. To let it play:  hanami activate {number}")
    return None if active is None else int(active)


def _tell_failure(out: Output, service: Service, slug: str, version: dict[str, Any]) -> None:
    """Show the log of a failed check, and how to see the failure again."""
    try:
        log = service.check_log(slug, int(version["n"]))
    except ServiceError as refused:
        # A token without bot:logs: the rest is told all the same.
        out.print(str(refused), style="yellow")
        log = ""
    if log.strip():
        out.print(log.rstrip())
    again = f"hanami repro {version['failure']}" if version.get("failure") else "hanami test"
    out.print(f"See it again here:  {again}", style="red")


def slug_of(service: Service, local: LocalBot) -> str:
    """The address of this bot on the service; made, and remembered, the first time."""
    home = Home.of(local)
    slug = home.slug(service.account.server)
    if slug is None:
        slug = service.bot(local.name, local.plays)
        home.remember(service.account.server, slug)
    return slug


def _summary(version: dict[str, Any]) -> dict[str, Any]:
    found = {"state": version["state"], "checks": version.get("checks", []), "queue": version.get("queue")}
    return {**found, "failure": version.get("failure")}


def _show(out: Output, version: dict[str, Any], shown: set[str]) -> None:
    """Every tick once, when it is known, and the place in the queue when it changes."""
    for check in version.get("checks") or ():
        mark = PASSED.get(check["state"])
        line = f"{mark}  {check['name']}: {check['message']}"
        # Every look at the service returns all checks again.
        if mark and line not in shown:
            shown.add(line)
            out.print(line, style="red" if mark == "FAIL" else "green")
    place = (version.get("queue") or {}).get("place")
    line = f"      in the queue: place {place}"
    if version["state"] == "checking" and place is not None and line not in shown:
        shown.add(line)
        out.print(line)
