"""`hanami submit`: send a version, and see its ticks."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from bots.uploads import check_source, zip_files
from kit.account import account
from kit.command import with_output
from kit.errors import BotFailed
from kit.home import Home, LocalBot, read_bot
from kit.output import Output
from kit.service import Service

PASSED: Final = {"passed": "ok  ", "ok": "ok  ", "failed": "FAIL"}


@click.command(short_help="Send a version to the service.")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("-m", "--message", "note", default="", help="A note that stands with the version.")
@click.option("--wait", is_flag=True, help="Stay until it was checked.")
@click.option("--timeout", "deadline_s", type=click.FloatRange(1), default=600.0, show_default=True, metavar="SECONDS")
@click.option("--server", help="Address of the service.")
@with_output
def submit(out: Output, bot: Path, *, note: str, wait: bool, deadline_s: float, server: str | None) -> int:
    """Send BOT to the service. The same files sent again are the same version, however often."""
    local, service = read_bot(bot), Service(account(server))
    # The service would say the same after the upload, as it checks with the same code.
    if problems := check_source(local.upload.files):
        raise BotFailed("\n".join(map(str, problems)), code="bot.static_failed")
    slug = slug_of(service, local)
    sent = service.send(slug, local, note)
    number = int(sent["n"])
    # Only now: the service gives the number.
    Home.of(local).save_version(number, zip_files(local.upload.files))
    page = f"{service.account.server}/b/{slug}/v/{number}/"
    out.print(f"{local.name} v{number}: {page}")
    last = sent
    shown: set[str] = set()
    if not wait:
        _show(out, sent, shown)
    else:
        for last in service.wait(slug, number, deadline_s=deadline_s):
            _show(out, last, shown)
    out.finish({"ok": last["state"] != "failed", "bot": slug, "n": number, "url": page, **_summary(last)})
    if last["state"] == "failed":
        out.print("Look at it:  hanami logs --last-failure, or hanami test", style="red")
        return 1
    out.print({"checking": "It is being checked.", "ready": "Ready."}.get(last["state"], f"It is {last['state']}."))
    return 0


def slug_of(service: Service, local: LocalBot) -> str:
    """The address of this bot on the service; made, and remembered, the first time."""
    home = Home.of(local)
    slug = home.slug(service.account.server)
    if slug is None:
        slug = service.bot(local.name, local.plays)
        home.remember(service.account.server, slug)
    return slug


def _summary(version: dict[str, Any]) -> dict[str, Any]:
    return {"state": version["state"], "checks": version.get("checks", []), "queue": version.get("queue")}


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
