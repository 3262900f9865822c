"""`hanami verify`: does a record prove itself?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine.record import verify as check
from kit.command import with_output
from kit.documents import load, seed_of
from kit.output import Output


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, allow_dash=True))
@click.option("--seed", help="The revealed seed, hex; the one in the file's view, if left away.")
@with_output
def verify(out: Output, files: tuple[Path, ...], *, seed: str | None) -> int:
    """Check FILES: the hash, every deal through the engine, the sums, and with the seed every card of every deck."""
    given = _seed(seed)
    found = [_verified(path, given) for path in files]
    for one in found:
        where = f" ({one['where']})" if one["where"] and not one["ok"] else ""
        said = f"{'ok  ' if one['ok'] else 'FAIL'}  {one['file']}{where}: {one['message']}"
        out.say(said, style="green" if one["ok"] else "red")
    is_ok = all(one["ok"] for one in found)
    out.finish({"ok": is_ok, "files": found})
    return 0 if is_ok else 1


def _seed(text: str | None) -> bytes | None:
    try:
        return None if text is None else bytes.fromhex(text)
    except ValueError as error:
        raise click.UsageError("--seed: an even number of hex digits, as the match's page shows it.") from error


def _verified(path: Path, given: bytes | None) -> dict[str, Any]:
    document = load(path)
    seed = given or seed_of(document)
    found = check(document, seed=seed)
    message = found.message
    if found.ok and seed is None:
        message += " Its seed is not revealed, so the decks were not derived again."
    return {"file": str(path), "ok": found.ok, "code": found.code, "where": found.where, "message": message,
            "seed": seed is not None}  # fmt: skip
