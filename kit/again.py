"""The match of a record played again, move for move as the service played it, if the same bots are given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bots.runner.player import Launcher
from bots.runner.spec import CLOCKS, Clock, MatchSpec
from bots.runner.table import play
from engine.record import canonical, verify
from engine.record_read import read_document
from kit.documents import load_record, seed_of
from kit.errors import BadCall, BotFailed
from kit.output import Output
from kit.players import Player


def spec_like(document: dict[str, Any], players: list[Player]) -> MatchSpec:
    """The match of a record with other bots. players: one per seat, or one for each hash in the record.

    Raises BadRecord, BadCall: its seed is not revealed, or the bots are too few.
    """
    reading, seed = read_document(document), seed_of(document)
    if seed is None:
        raise BadCall(
            "The seed of this match is not revealed yet, so its cards cannot be dealt again. Records get theirs when "
            "the stage is over; those of `hanami play --records` have one."
        )
    # One bot for each version is enough: a version that sits twice need not be typed twice.
    hashes = list(dict.fromkeys(reading.bots))
    if len(players) == len(reading.bots):
        bots = tuple(one.files for one in players)
    elif len(players) == len(hashes):
        bots = tuple(players[hashes.index(version)].files for version in reading.bots)
    else:
        raise BadCall(f"This match has {len(reading.bots)} seats and {len(hashes)} bots: name as many, in seat order.")
    leg = reading.fair.get("leg")
    return MatchSpec(
        match_id=reading.match_id,
        ruleset=reading.ruleset,
        preset=reading.preset,
        seats=len(bots),
        seed=seed,
        leg=leg if isinstance(leg, int) else 1,
        fair=reading.fair,
        bots=bots,
        clock=_clock(document),
    )


def _clock(document: dict[str, Any]) -> Clock:
    """The clock that the match was played with."""
    noted = document.get("view", {}).get("clock")
    return Clock(**noted) if isinstance(noted, dict) else CLOCKS["standard"]


def play_again(out: Output, path: Path, players: list[Player], launcher: Launcher, records: Path | None = None) -> int:
    """Play it and compare. 0 if the records are equal, byte for byte. records: a folder for the new one.

    Raises BotFailed for a broken record.
    """
    document = load_record(path)
    # First: of a record that does not prove itself nobody could say which of the two matches is wrong.
    found = verify(document)
    if not found.ok:
        raise BotFailed(f"This record does not hold: {found.where}: {found.message}", code=found.code)
    spec = spec_like(document, players)
    played = play(spec, launcher)
    if records is not None:
        kept = records / f"{spec.match_id}.json"
        view = {**played.document["view"], "seed": spec.seed.hex()}
        kept.write_text(json.dumps({**played.document, "view": view}, ensure_ascii=False), encoding="utf-8")
        out.print(f"The record: {kept}")
    before, after = document["record"], played.document["record"]
    # Canonical JSON, as the hash is taken: the order of keys in the file does not count.
    is_same = canonical(before) == canonical(after)
    where = "" if is_same else first_move(before, after)
    if is_same:
        out.print(f"The same record, byte for byte: {played.document['hash']}", style="green")
    else:
        out.print(f"Another match: {where}", style="red")
    out.print(f"Score {after['result']['score']}, places {after['result']['rank']}")
    out.finish({"ok": is_same, "hash": played.document["hash"], "like": document["hash"], "differs": where or None})
    return 0 if is_same else 1


def first_move(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return where two matches from the same cards part."""
    for one, two in zip(before["deals"], after["deals"], strict=False):
        pairs = zip(one["moves"], two["moves"], strict=False)
        for number, (played, plays) in enumerate(pairs, start=1):
            if played != plays:
                return f"deal {one['n']}, move {number}: {played} in the record, now {plays}."
    if before["forfeits"] != after["forfeits"]:
        return f"the forfeits: {before['forfeits']} in the record, now {after['forfeits']}."
    if before["seats"] != after["seats"]:
        return "the same moves, but by other versions than the record names."
    return "the same moves, but other facts: engine or ids."
