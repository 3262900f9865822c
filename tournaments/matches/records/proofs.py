"""Proofs of records: everything that anybody can check, and the moves played again by the engine.

A proof of a stored record is cached per process: it depends on nothing but bytes, seed and engine, and playing a match
again costs some hundred times as much as reading a page. So one address may ask only so often.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from typing import Any, Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.replay.proof import BAD, MALFORMED, OPEN, Check, prove
from core.replay.proof_words import PROOF
from engine import ENGINE_VERSION
from engine.canonical import record_hash
from engine.errors import BadRecord
from engine.games import GAMES
from engine.record import verify
from engine.record_compact import VERSION, expand
from engine.record_read import MAX_ORDERS
from tournaments.matches.queries import MatchPage, commitment_of
from web.rate_limits import take_from

# Of a record that somebody pastes. A long match of seven seats has 60 KB, one of 5,000 moves (the most) some 600.
MAX_BYTES: Final = 1024 * 1024
CACHE_SIZE: Final = 256
SEATS: Final = max(max(game.seat_range) for game in GAMES.values())
# Maximum length of the parts of a record, by their names.
MAX_OF: Final = {
    **dict.fromkeys(("seats", "score", "victories", "rank", "total"), SEATS),
    **dict.fromkeys(("draws", "deals"), 1_000),
    **dict.fromkeys(("fx0", "fx"), 500),
    "orders": MAX_ORDERS,
}
# Maximum depth of parts within parts; a record has half of it.
DEEPEST: Final = 16


@dataclass(frozen=True, slots=True)
class Proof:
    """All checks of a document, in order."""

    checks: tuple[Check, ...]

    def count(self, state: str) -> int:
        """Count the lines in a state."""
        return sum(check.state == state for check in self.checks)


def examine(document: Mapping[str, Any], seed: bytes | None) -> Proof:
    """Check a document in every way there is. Never raises for what it is given."""
    return Proof((*prove(document, seed), *_played_again(document)))


def _played_again(document: Mapping[str, Any]) -> tuple[Check, ...]:
    """Play the moves through the engine. The hash has a line of its own: here the record counts as it stands."""
    try:
        # With a hash that fits, `verify` gets as far as the moves, and a wrong hash does not hide what is wrong with
        # them.
        rehashed = {**document, "hash": record_hash(document.get("record"))}
    except BadRecord as error:
        return (Check("replay", {}, BAD, error.code, "wrong_engine", _details(error.where, str(error))),)
    found = verify(rehashed)
    if found.code == "record.older_engine":
        engine = str(document["record"]["engine"])
        return (Check("replay", {}, OPEN, "", "older", {"engine": engine}),)
    if found.ok:
        return (Check("replay"), Check("view"))
    bad = (BAD, found.code, "wrong_engine", _details(found.where, found.message))
    if found.code.startswith("view."):
        return (Check("replay"), Check("view", {}, *bad))
    return (Check("replay", {}, *bad),)


def _details(where: str, message: str) -> dict[str, int | str]:
    return {"where": where[:100], "message": message[:300]}


# -- a match of the site --------------------------------------------------------------------------------------------


class _ProofCache:
    """The newest proofs, so that a page which many open is not played again for each of them."""

    def __init__(self) -> None:
        self._proofs: OrderedDict[tuple[str, str], Proof] = OrderedDict()
        # Threads of one process share it: requests run in a thread pool.
        self._lock = Lock()

    def get(self, key: tuple[str, str]) -> Proof | None:
        with self._lock:
            found = self._proofs.get(key)
            if found is not None:
                self._proofs.move_to_end(key)
            return found

    def put(self, key: tuple[str, str], proof: Proof) -> None:
        with self._lock:
            self._proofs[key] = proof
            while len(self._proofs) > CACHE_SIZE:
                self._proofs.popitem(last=False)


_CACHE: Final = _ProofCache()


def key_of(document: Mapping[str, Any], blob: str) -> tuple[str, str]:
    """Return what the proof of a stored document depends on. blob: the hash of its bytes."""
    # The seed is not in the bytes: a document has another proof once it is revealed, and by another engine.
    return f"{blob}.{ENGINE_VERSION}", str(document["view"].get("seed"))


def cached_proof(document: Mapping[str, Any], blob: str) -> Proof | None:
    """Return the proof of a stored document if it was made already in this process."""
    return _CACHE.get(key_of(document, blob))


def proof_of(document: Mapping[str, Any], blob: str) -> Proof:
    """Return the proof of a stored document, made at most once while it is cached."""
    key = key_of(document, blob)
    # Without the lock: two requests may make the same proof at once, which costs time and harms nothing.
    proof = _CACHE.get(key)
    if proof is None:
        proof = examine(document, seed_in(document))
        _CACHE.put(key, proof)
    return proof


def seed_in(document: Mapping[str, Any]) -> bytes | None:
    """Return the seed that a served document carries; None before it is revealed, or where it is none."""
    view = document.get("view")
    text = view.get("seed") if isinstance(view, dict) else None
    return _bytes_of(text) if isinstance(text, str) else None


def _bytes_of(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text) if 2 <= len(text) <= 128 else None
    except ValueError:
        return None


# -- a record that somebody pastes ----------------------------------------------------------------------------------


def read_pasted(data: bytes) -> dict[str, Any]:
    """Read the document in what somebody has sent; a compact record is played out. Raises TournamentError `proof.*`."""
    if not data.strip():
        raise _refused("empty", "proof.empty")
    # The length first, then what it holds: nothing is parsed that no match could have written.
    if len(data) > MAX_BYTES:
        raise _refused("too_large", "proof.too_large", most=MAX_BYTES // 1024)
    try:
        value = json.loads(data.decode("utf-8-sig"))
        # Refused before it is encoded and verified: both walk through it once more.
        _refuse_monster(value)
        json.dumps(value, ensure_ascii=False).encode()  # half a character ("\\ud800") can stand in no page
    except UnicodeDecodeError as error:
        raise _refused("not_text", "proof.not_text") from error
    except json.JSONDecodeError as error:
        message = f"{error.msg}, {error.lineno}:{error.colno}"
        raise _refused("not_json", "proof.not_json", message=message) from error
    except (ValueError, RecursionError) as error:  # a number of a thousand digits, a list in a list in a list ..
        raise _refused("not_json", "proof.not_json", message=str(error)[:80]) from error
    if isinstance(value, dict) and value.get("compact") == VERSION and "record" not in value:
        return _expanded(value)
    if not isinstance(value, dict) or not isinstance(value.get("record"), dict) or "hash" not in value:
        raise _refused("not_record", "proof.not_record")
    return value


def _refuse_monster(value: object) -> None:
    """Refuse what no match can be: checking it costs far more than sending it. Raises TournamentError."""
    # Level by level with a list, not by recursion: a hostile depth ends at DEEPEST and not at Python's stack.
    level, orders = [value], 0
    for _deeper in range(DEEPEST):
        named = [pair for each in level if isinstance(each, dict) for pair in each.items()]
        # Orders of hands have a bound of their own in a record; here their sum over all of what was pasted has it, too.
        orders += sum(len(inner) for key, inner in named if key == "orders" and isinstance(inner, list | dict | str))
        if orders > MAX_ORDERS or any(_is_too_much(key, inner) for key, inner in named):
            raise _refused("not_record", "proof.not_record")
        level = [inner for each in level for inner in _parts(each)]
        if not level:
            return
    raise _refused("not_record", "proof.not_record")


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _is_too_much(key: str, value: object) -> bool:
    """Return whether a part of this name is longer, or a side higher, than any match has."""
    if key == "side" and isinstance(value, int | float | str):
        try:
            return int(value) >= MAX_OF["seats"]
        # float("1e999") as JSON is infinity: int() of it overflows.
        except (ValueError, OverflowError):
            return False
    return isinstance(value, list | dict | str) and len(value) > MAX_OF.get(key, MAX_BYTES)


def _expanded(value: dict[str, Any]) -> dict[str, Any]:
    """Expand a compact record into the whole one, with its seed."""
    try:
        document = expand(value)
    except BadRecord as error:
        raise _refused("wrong_engine", error.code, **_details(error.where, str(error))) from error
    view: Any = document["view"]
    return {**document, "view": {**view, "seed": value["seed"]}}


def _refused(key: str, code: str, **values: int | str) -> TournamentError:
    """Build a refusal whose words are in PROOF; `extra` holds what stands in them, for a translation elsewhere."""
    return TournamentError(PROOF[key] % values, code=code, extra={"words": key, "values": values})


def seed_given(text: str) -> bytes | None:
    """Return a seed that somebody typed; None if nothing was. Raises TournamentError `proof.seed`."""
    clean = text.strip().removeprefix("0x")
    seed = _bytes_of(clean) if clean else None
    if clean and seed is None:
        raise _refused("bad_seed", "proof.seed")
    return seed


def is_of_match(document: Mapping[str, Any], *, commit: str, stored_hash: str) -> Check:
    """Check that a document is the very record of a match: its commitment and its hash."""
    try:
        same = document["record"]["fair"]["commit"] == commit and document["hash"] == stored_hash
    # A pasted document may lack any of these keys, or have a list in their place.
    except MALFORMED:
        same = False
    return Check("match") if same else Check("match", {}, BAD, "proof.other_match", "wrong_match")


# An hour, from one address; what was proven before in this process is not counted. A hall of phones is one address.
PER_HOUR: Final = 120


def prove_match(page: MatchPage, document: Mapping[str, Any], *, network: str) -> Proof:
    """Make everything there is to check of a finished match. document: as it is served.

    Raises TournamentError "proof.rate" (extra: retry_after).
    """
    report = page.report
    assert report is not None
    assert report.record is not None
    blob = report.record.sha256
    # Only work is counted: what this process has proven already costs nothing.
    if cached_proof(document, blob) is None:
        _count(network)
    return _with_match(page, document, proof_of(document, blob))


def prove_pasted(document: Mapping[str, Any], seed: bytes | None, *, page: MatchPage | None, network: str) -> Proof:
    """Make everything there is to check of a record that somebody sent. page: the match on whose page that was.

    A record under the commitment of that match must be its record. Raises TournamentError "proof.rate".
    """
    _count(network)
    proof = examine(document, seed if seed is not None else seed_in(document))
    return _with_match(page, document, proof) if page is not None and names_match(page, document) else proof


def names_match(page: MatchPage, document: Mapping[str, Any]) -> bool:
    """Return whether a record says that it was played on the deals of this match, in its leg."""
    commit, record = commitment_of(page), document.get("record")
    fair = record.get("fair") if isinstance(record, dict) else None
    if not commit or not isinstance(fair, dict):
        return False
    return (fair.get("commit"), fair.get("leg")) == (commit, page.match.leg)


def _with_match(page: MatchPage, document: Mapping[str, Any], proof: Proof) -> Proof:
    """Add the line that says whose record it is."""
    commit = commitment_of(page)
    stored = page.report.hash if page.report else ""
    return Proof((is_of_match(document, commit=commit, stored_hash=stored), *proof.checks))


def _count(network: str) -> None:
    taken = take_from("proof: ", network, most=PER_HOUR, within=timedelta(hours=1))
    if taken.is_over:
        message = _("Your address checked %(n)s records within an hour. Try again in %(minutes)s minutes, or "
                    "check here in your browser.")  # fmt: skip
        shown = {"n": PER_HOUR, "minutes": -(-taken.reset_s // 60)}
        raise TournamentError(message % shown, code="proof.rate", extra={"retry_after": taken.reset_s})
