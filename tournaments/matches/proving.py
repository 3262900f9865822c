"""Proving a record for somebody who asks: as often as is good for the machine, which plays the match again for it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from tournaments.matches.proofs import Proof, examine, is_of_match, kept_proof, proof_of, seed_in
from tournaments.matches.queries import MatchPage
from web.rate_limits import take_from

PER_HOUR: Final = 120
"""From one address; what was proven before in this process is not counted. A hall full of phones is one address."""


def prove_match(page: MatchPage, document: Mapping[str, Any], *, network: str) -> Proof:
    """Everything there is to check of a finished match. document: as it is served.

    Raises TournamentError "proof.rate" (extra: retry_after).
    """
    report = page.report
    assert report is not None
    assert report.record is not None
    blob = report.record.sha256
    if kept_proof(document, blob) is None:
        _count(network)
    return _with_match(page, document, proof_of(document, blob))


def prove_pasted(document: Mapping[str, Any], seed: bytes | None, *, page: MatchPage | None, network: str) -> Proof:
    """Everything there is to check of a record that somebody sent. page: the match on whose page that was.

    A record under the commitment of that match must be its record. Raises TournamentError "proof.rate".
    """
    _count(network)
    proof = examine(document, seed if seed is not None else seed_in(document))
    return _with_match(page, document, proof) if page is not None and names_match(page, document) else proof


def names_match(page: MatchPage, document: Mapping[str, Any]) -> bool:
    """Whether a record says that it was played on the deals of this match, in its leg."""
    deal_set, record = page.match.deal_set, document.get("record")
    fair = record.get("fair") if isinstance(record, dict) else None
    if deal_set is None or not isinstance(fair, dict):
        return False
    return (fair.get("commit"), fair.get("leg")) == (deal_set.commit, page.match.leg)


def _with_match(page: MatchPage, document: Mapping[str, Any], proof: Proof) -> Proof:
    """The same with the line that says whose record it is."""
    commit = page.match.deal_set.commit if page.match.deal_set else ""
    stored = page.report.hash if page.report else ""
    return Proof((is_of_match(document, commit=commit, stored_hash=stored), *proof.checks))


def _count(network: str) -> None:
    taken = take_from("proof: ", network, most=PER_HOUR, within=timedelta(hours=1))
    if taken.is_over:
        message = _("This address had %(n)s records checked within an hour. Try again in %(minutes)s minutes, "
                    "or check here in your browser.")  # fmt: skip
        shown = {"n": PER_HOUR, "minutes": -(-taken.reset_s // 60)}
        raise TournamentError(message % shown, code="proof.rate", extra={"retry_after": taken.reset_s})
