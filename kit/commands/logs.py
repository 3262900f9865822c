"""`hanami logs`: failures of one's bot, on the service and at home."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from kit.account import account
from kit.command import with_output
from kit.errors import BadCall, ServiceError
from kit.home import Home, LocalBot, read_bot
from kit.output import Output
from kit.service import Service

STATIC = "static"


@click.command(short_help="Where it failed, on the service and here.")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("--last-failure", "last", is_flag=True, help="All there is to know of the newest one.")
@click.option("--local", is_flag=True, help="Of matches played here, without asking the service.")
@click.option("--server", help="Address of the service.")
@with_output
def logs(out: Output, bot: Path, *, last: bool, local: bool, server: str | None) -> int:
    """List the failures of BOT, newest first: those of the service, with --local those of this folder.

    On the service: F123 in a match, C45 in the check of an upload. Alike ones are one line.
    """
    mine = read_bot(bot)
    if local:
        found, details = Home.of(mine).failures(), None
    else:
        service = Service(account(server))
        slug = slug_known(service, mine)
        found, details = on_the_service(service, slug), (service, slug)
    if last and found:
        newest = found[0] if details is None else in_full(*details, found[0])
        show(out, newest)
        out.finish({"ok": True, "failure": newest})
        return 0
    for group in [[one] for one in found] if local else grouped(found):
        out.print(line_of(group))
    if not found:
        out.print("No failures.")
    elif not local:
        out.print("All there is to know of the newest:  hanami logs --last-failure")
    out.finish({"ok": True, "failures": found})
    return 0


def on_the_service(service: Service, slug: str) -> list[dict[str, Any]]:
    """Return failures in matches and failed checks, the newest first."""
    checks = [{**one, "match": None} for one in _failed_checks(service, slug)]
    return sorted([*service.failures(slug), *checks], key=lambda one: str(one.get("at") or ""), reverse=True)


def _failed_checks(service: Service, slug: str) -> list[dict[str, Any]]:
    try:
        return service.failed_checks(slug)
    except ServiceError as refused:
        # An older service has no list of them.
        if refused.extra.get("status") != 404:
            raise
        return []


def in_full(service: Service, slug: str, failure: dict[str, Any]) -> dict[str, Any]:
    """Return a failure with its observation and log. Of a source that cannot run there is nothing more to know."""
    if failure["code"] == STATIC:
        return failure
    return {**failure, **service.failure(slug, str(failure["id"]))}


def grouped(failures: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Put alike ones together: of one version, with one code. In the order of their newest."""
    found: dict[tuple[Any, Any], list[dict[str, Any]]] = {}
    for one in failures:
        found.setdefault((one.get("version"), one.get("code")), []).append(one)
    return list(found.values())


def line_of(group: list[dict[str, Any]]) -> str:
    """Describe alike failures in a line: the newest, when, of which version, how many."""
    newest = group[0]
    at = str(newest.get("at") or "")[:16].replace("T", " ")
    version = f"v{newest['version']}" if newest.get("version") else ""
    words = [str(newest["id"]), at, version, str(newest.get("code", "")), where(newest)]
    count = f"({len(group)} alike)" if len(group) > 1 else ""
    return "  ".join(word for word in (*words, str(newest.get("error") or ""), count) if word)


def slug_known(service: Service, local: LocalBot) -> str:
    """The address of this bot on the service. Raises BadCall if there is none."""
    slug = Home.of(local).slug(service.account.server) or service.find(local.name)
    if slug is None:
        raise BadCall(f"{local.name} was never sent to {service.account.server}. Send it with `hanami submit`.")
    return slug


def where(failure: dict[str, Any]) -> str:
    """Match, deal and move in short, as `hanami replay` reads it."""
    if failure.get("code") == STATIC:
        return "in its source"
    if not failure.get("deal"):
        return f"{failure.get('match') or 'check'}, while loading"
    return f"{failure.get('match') or 'check'}#d{failure['deal']}m{failure.get('move', 0)}"


def show(out: Output, failure: dict[str, Any]) -> None:
    """A failure for people: what, where, its traceback, its last words, how to see it again."""
    out.print(f"{failure['id']}: {failure.get('code', '')} at {where(failure)}", style="bold")
    if failure.get("code") == STATIC:
        out.print(str(failure.get("error", "")))
        out.print("Again:  hanami test")
        return
    observation = failure.get("observation")
    if observation:
        out.print(f"It was asked about {len(observation.get('legal') or failure.get('legal') or [])} legal actions:")
        out.print(f"  hand   {' '.join(observation.get('hand', []))}")
        out.print(f"  field  {' '.join(observation.get('field', []))}")
    traceback = failure.get("traceback") or ""
    tail = failure.get("stderr") or failure.get("log") or ""
    # One of each: the log often ends with the very traceback.
    for text in _once([traceback.rstrip(), tail.rstrip()]):
        out.print(text)
    out.print(f"Again:  hanami repro {failure['id']}")


def _once(texts: list[str]) -> list[str]:
    """Return the texts that are not a part of another one."""
    kept = [text for text in dict.fromkeys(texts) if text]
    return [text for text in kept if not any(text != other and text in other for other in kept)]
