"""Proof of an event: rules and their hash, secrets and what was committed to, decks, every record."""

from __future__ import annotations

from typing import Any, Final, cast

from core.interchange.documents.event import DealSet, Entry, Event, Match, Record, Report, Seat, Stage
from core.interchange.errors import InterchangeError, refusal
from engine.deck import commitment, match_seed, nonce_mix
from engine.errors import EngineError
from engine.game import Ruleset as Rules
from engine.record import verify
from engine.record_read import read_document
from engine.record_replay import replay
from engine.record_view import build_view

MAX_MOVES: Final = 20_000_000


def prove(event: Event, *, most_moves: int = MAX_MOVES) -> int:
    """Check everything that can be checked from the file alone. Returns how many records were played again.

    Raises InterchangeError "event.rules", "event.secret", "event.seed", "event.record" (extra: where; found: the
    verifier's own code) and "event.too_many" for records with more moves than `most_moves` all told.
    """
    moves = sum(
        len(str(text)) // 5 + 1
        for stage in (*event.stages, *event.called_off)
        for match in stage.matches
        for report in match.reports
        if report.record is not None
        for text in _texts(report.record.record)
    )
    if moves > most_moves:
        message = "The records hold more moves than we can replay here. Import it with `manage.py import_event`."
        raise refusal("event.too_many", message, where="stages", most=most_moves)
    entries = {entry.uuid: entry for entry in event.entries}
    mixes: set[str] = set()
    played = 0
    named = [("stages", at, stage) for at, stage in enumerate(event.stages)]
    named += [("called_off", at, stage) for at, stage in enumerate(event.called_off)]
    for name, at, stage in named:
        mixes.add(_mix([entries[item.entry] for item in stage.entries]))
        _secret(stage, f"{name}[{at}]", mixes)
        played += _stage(stage, f"{name}[{at}]", entries)
    return played


def _mix(entered: list[Entry]) -> str:
    return nonce_mix({str(entry.uuid): entry.nonce for entry in entered if entry.nonce}).hex()


def _texts(record: dict[str, Any]) -> list[object]:
    """Return what is played again: every move, of any shape."""
    deals = record.get("deals")
    if not isinstance(deals, list):
        return []
    lists = [deal.get("moves") for deal in deals if isinstance(deal, dict)]
    return [move for moves in lists if isinstance(moves, list) for move in moves]


def _stage(stage: Stage, where: str, entries: dict[Any, Entry]) -> int:
    _rules(stage, where)
    sets = {deal_set.uuid: deal_set for deal_set in stage.deal_sets}
    for at, dealt in enumerate(stage.deal_sets):
        _seed(stage, dealt, f"{where}.deal_sets[{at}]")
    played = 0
    for at, match in enumerate(stage.matches):
        for number, report in enumerate(match.reports):
            if report.record is not None:
                deal_set = sets.get(match.deal_set) if match.deal_set else None
                _record(stage, match, report, deal_set, entries, f"{where}.matches[{at}].reports[{number}]")
                played += 1
            elif report.source == "record":
                raise _not_proven(f"{where}.matches[{at}].reports[{number}]", "record.missing", "there is no record")
    return played


def rules_of(stage: Stage) -> Rules:
    """The stage's rules as the engine has them. Raises EngineError."""
    return Rules.from_json({"game": stage.ruleset.game, "options": stage.ruleset.options})


def _rules(stage: Stage, where: str) -> None:
    try:
        rules = rules_of(stage)
        rules.sides(stage.seats_pref)
    except EngineError as wrong:
        message = "At %(where)s there are rules that this service does not play: %(why)s"
        raise refusal("event.rules", message, where=f"{where}.ruleset", why=str(wrong)[:200]) from wrong
    if rules.hash != stage.ruleset.hash or rules.to_json()["options"] != stage.ruleset.options:
        message = "At %(where)s the hash does not match these rules."
        raise refusal("event.rules", message, where=f"{where}.ruleset.hash")


def _secret(stage: Stage, where: str, mixes: set[str]) -> None:
    """mixes: what the texts of those come to who entered this stage, or one before it: a chain keeps its first."""
    if stage.secret is not None and commitment(bytes.fromhex(stage.secret)) != stage.commitment:
        message = "At %(where)s the secret does not match its commitment."
        raise refusal("event.secret", message, where=f"{where}.secret")
    for at, earlier in enumerate(stage.earlier):
        if commitment(bytes.fromhex(earlier.secret)) != earlier.commitment:
            message = "At %(where)s the secret does not match its commitment."
            raise refusal("event.secret", message, where=f"{where}.earlier[{at}]")
    if stage.mix is not None and stage.mix not in mixes:
        message = "At %(where)s the value does not match the texts of the entrants."
        raise refusal("event.secret", message, where=f"{where}.mix")


def _seed(stage: Stage, deal_set: DealSet, where: str) -> None:
    seed = bytes.fromhex(deal_set.seed) if deal_set.seed is not None else None
    secret, _commitment = secret_of(stage, deal_set)
    if secret is not None:
        made = match_seed(bytes.fromhex(secret), bytes.fromhex(stage.mix or ""), deal_set.uuid.bytes)
        is_right = commitment(made) == deal_set.commit and seed in (None, made)
    else:
        is_right = seed is None or commitment(seed) == deal_set.commit
    if not is_right:
        message = "At %(where)s the seed does not match its commitment."
        raise refusal("event.seed", message, where=where)


def secret_of(stage: Stage, deal_set: DealSet | None) -> tuple[str | None, str]:
    """Return (the secret that a deal set was made from, as far as it is public; its commitment)."""
    number = deal_set.earlier if deal_set is not None else None
    for earlier in stage.earlier:
        if earlier.number == number:
            return earlier.secret, earlier.commitment
    return stage.secret, stage.commitment


def _not_proven(where: str, found: str, why: str) -> InterchangeError:
    message = "At %(where)s the record does not prove the result: %(why)s (%(found)s)."
    return refusal("event.record", message, where=where, found=found, why=why[:200])


def _record(
    stage: Stage, match: Match, report: Report, deal_set: DealSet | None, entries: dict[Any, Entry], where: str
) -> None:
    """The record is of this match, of these rules and versions, and every move and card of it is right."""
    assert report.record is not None
    record = report.record.record
    seats = [{"side": seat.side, "bot": _bot(seat, entries)} for seat in match.seats]
    ruleset = record.get("ruleset")
    is_own = record.get("match") == str(match.uuid) and record.get("seats") == seats
    is_own = is_own and _is_own_deal(record.get("fair"), stage, match, deal_set)
    wanted = rules_of(stage).one_deal().hash if match.extra else stage.ruleset.hash
    if not is_own or not isinstance(ruleset, dict) or ruleset.get("hash") != wanted:
        raise _not_proven(where, "record.other", "it is of another match")
    seed = bytes.fromhex(deal_set.seed) if deal_set and deal_set.seed else None
    # Without the view: it is made from the record again, so there is nothing in the file to compare it with.
    verdict = verify(_document(report.record, report.hash), seed=seed, view=False)
    if not verdict.ok:
        raise _not_proven(where, verdict.code, f"{verdict.where}: {verdict.message}")


def _is_own_deal(fair: object, stage: Stage, match: Match, deal_set: DealSet | None) -> bool:
    """Return whether the deck is that of the match's deal set, or that of a table of the site, which proves itself."""
    if deal_set is None:
        # Its secret, its nonces and what was committed to are checked with the record (`engine.record_fair`).
        return stage.where == "site" and isinstance(fair, dict) and "nonces" in fair and fair.get("leg") == match.leg
    commit, uuid = deal_set.commit, str(deal_set.uuid)
    return fair == {"stage": secret_of(stage, deal_set)[1], "commit": commit, "deal_set": uuid, "leg": match.leg}


def _bot(seat: Seat, entries: dict[Any, Entry]) -> str | None:
    pinned = entries[seat.entry].version if seat.entry in entries else None
    version = seat.version or pinned
    return f"sha256:{version.hash}" if version else None


def _document(record: Record, claimed_hash: str) -> dict[str, Any]:
    return {"record": record.record, "hash": claimed_hash, "view": {"preset": record.preset, "deals": []}}


def document_of(record: Record, claimed_hash: str) -> dict[str, Any]:
    """The whole document of a record that was proven, with the view played again. Raises BadRecord."""
    match = replay(read_document(_document(record, claimed_hash)))
    ms = cast("list[list[int]]", record.ms)  # None where a move was not measured: the view has it as it is
    return {"record": record.record, "hash": claimed_hash, "view": build_view(match, preset=record.preset, ms=ms)}


def record_from(document: dict[str, Any]) -> Record:
    """A stored document as an event holds it: without what can be played again."""
    deals = document["view"]["deals"]
    ms = [[move["ms"] for move in deal["moves"]] for deal in deals]
    return Record(record=document["record"], preset=document["view"]["preset"], ms=ms)
