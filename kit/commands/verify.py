"""`hanami verify`: does a record prove itself?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine.errors import BadRecord
from engine.record import verify as check
from kit.command import with_output
from kit.documents import complete, is_archive, lines_of, load, seed_of
from kit.output import Output


@click.command(short_help="Verify records.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, allow_dash=True))
@click.option("--seed", help="The revealed seed, hex; the one in the file if omitted.")
@with_output
def verify(out: Output, files: tuple[Path, ...], *, seed: str | None) -> int:
    """Check FILES: the hash, every deal through the engine, the sums, and with the seed every card of every deck.

    Records, compact ones too, and whole archives of events and days (.jsonl, .jsonl.zst).
    """
    given = _seed(seed)
    found = [_archive(path) if is_archive(path) else _verified(str(path), load(path), given) for path in files]
    for one in found:
        for fault in one.get("faults", ()):
            _print_line(out, fault)
        _print_line(out, one)
    is_ok = all(one["ok"] for one in found)
    out.finish({"ok": is_ok, "files": found})
    return 0 if is_ok else 1


def _print_line(out: Output, one: dict[str, Any]) -> None:
    """Print one line."""
    where = f" ({one['where']})" if one["where"] and not one["ok"] else ""
    line = f"{'ok  ' if one['ok'] else 'FAIL'}  {one['file']}{where}: {one['message']}"
    out.print(line, style="green" if one["ok"] else "red")


def _seed(text: str | None) -> bytes | None:
    try:
        return None if text is None else bytes.fromhex(text)
    except ValueError as error:
        raise click.UsageError("--seed: an even number of hex digits, as the match's page shows it.") from error


def _verified(name: str, found: dict[str, Any], given: bytes | None) -> dict[str, Any]:
    try:
        document = complete(found)
    except BadRecord as error:
        problem = {"code": error.code, "where": error.where, "message": str(error)}
        return {"file": name, "ok": False, **problem, "seed": True}
    # A seed that was typed comes first: it may be from another source than the file that is to be proved.
    seed = given or seed_of(document)
    verdict = check(document, seed=seed)
    message = verdict.message
    if verdict.ok and seed is None:
        message += " Its seed is not revealed, so the decks were not derived again."
    return {"file": name, "ok": verdict.ok, "code": verdict.code, "where": verdict.where, "message": message,
            "seed": seed is not None}  # fmt: skip


def _archive(path: Path) -> dict[str, Any]:
    """Check all records of an archive. faults: those that do not hold."""
    count, faults = 0, []
    for where, found in lines_of(path):
        count += 1
        one = _verified(where, found, None)
        faults += [] if one["ok"] else [one]
    message = f"{count - len(faults)} of {count} records hold."
    # An empty archive proves nothing: its download may have been cut off.
    is_ok = count > 0 and not faults
    head = {"file": str(path), "ok": is_ok, "code": "" if is_ok else "archive.faults", "where": ""}
    return {**head, "message": message, "records": count, "faults": faults}
