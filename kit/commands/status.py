"""`hanami status`: the versions of a bot, which of them plays, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from kit.account import account
from kit.command import with_output
from kit.commands.logs import slug_known
from kit.home import read_bot
from kit.output import Output
from kit.service import Service
from kit.telling import tell_entries, warn_of_differences

SHOWN = 5
MARKS = {"active": "active", "benched": "suspended", "hidden": "hidden"}
"""Words of the site for what the API says of a version."""


@click.command(short_help="What plays now, and where.")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("--server", help="Address of the service.")
@with_output
def status(out: Output, bot: Path, *, server: str | None) -> int:
    """Show the newest versions of BOT on the service, the one that plays, and where it is entered."""
    local, service = read_bot(bot), Service(account(server))
    slug = slug_known(service, local)
    found, versions, entries = service.one(slug), service.versions(slug), service.entries(slug)
    active = _active(service, slug, found["active"], versions)
    warn_of_differences(out, service.runtime())
    out.print(f"{found['name']}: {service.account.server}/b/{slug}/", style="bold")
    _tell_versions(out, versions)
    out.print("Entered in:" if entries else "")
    if versions:
        tell_entries(out, active, entries, service.ladders())
    _tell_next(out, found["active"], versions)
    out.finish({"ok": True, "bot": slug, "active": found["active"], "versions": versions, "entries": entries})
    return 0


def _active(
    service: Service, slug: str, number: int | None, versions: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """Return the version that plays, which may be older than those that are listed."""
    if number is None:
        return None
    listed = next((version for version in versions if version["n"] == number), None)
    return listed or service.version(slug, number)


def _tell_versions(out: Output, versions: Sequence[Mapping[str, Any]]) -> None:
    for version in versions[:SHOWN]:
        marks = [word for name, word in MARKS.items() if version.get(name)]
        note = f"  {version['note']}" if version["note"] else ""
        out.print(f"  v{version['n']:<4} {version['state']:9} {', '.join(marks):16}{version['created_at'][:10]}{note}")


def _tell_next(out: Output, active: int | None, versions: Sequence[Mapping[str, Any]]) -> None:
    newest = versions[0] if versions else None
    if newest is None:
        out.print("Nothing was sent yet:  hanami submit --wait")
    elif newest["state"] == "failed":
        out.print(f"v{newest['n']} failed its check:  hanami logs --last-failure", style="red")
    elif newest["state"] == "ready" and newest["n"] != active:
        out.print(f"v{newest['n']} is ready and does not play:  hanami activate {newest['n']}")
