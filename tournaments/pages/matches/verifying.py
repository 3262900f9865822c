"""Check of a match, or of any record: in the reader's browser, and on the server without script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_http_methods, require_safe

from bots.templatetags.hanami import card_name
from core.errors import TournamentError
from core.replay.proof import BAD, OK, OPEN, Check, decks
from core.replay.proof_words import PROOF
from engine.cards import CODES
from tournaments.matches.queries import MatchPage, commitment_of, known_seed, served_document
from tournaments.matches.records.proofs import (
    MAX_BYTES,
    Proof,
    names_match,
    prove_match,
    prove_pasted,
    read_pasted,
    seed_given,
    seed_in,
)
from tournaments.models import Match
from tournaments.pages.entries.guest_access import network_of_reader
from tournaments.pages.matches.matches import HOUR, LANGUAGES, load, players_of
from tournaments.pages.progress.level import level_text
from web.page import render_page
from web.refusals import with_wait

CARD_DETAILS: Final = ("expected", "found")
REPORTED_LAST: Final = ("match", "hash")
"""Checks that fail after any change: any other line tells more."""
OF_DEALS: Final = ("deal", "orders")
"""Checks that come once for each deal."""
METHODS: Final = ["GET", "HEAD", "POST"]


@dataclass(frozen=True, slots=True)
class Line:
    """A check in words. state: `ok`, `bad` or `open`; fault: what is wrong or missing. parts: the checks it sums up."""

    state: str
    text: str
    fault: str = ""
    code: str = ""
    parts: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A proof in words: its verdict, what that rests on, and its lines; those of the deals are one."""

    state: str
    headline: str
    summary: str
    lines: Sequence[Line]


def card_names() -> dict[str, str]:
    """Return every card by code: its name in the reader's language, and the code as the record has it."""
    return {code: f"{card_name(code)} ({code})" for code in CODES}


def line_of(check: Check, names: Mapping[str, str]) -> Line:
    """Return a check in the reader's language. names: of the cards, by code."""
    details = {
        key: names.get(f"{value}", value) if key in CARD_DETAILS else value for key, value in check.details.items()
    }
    details = {key: _(PROOF["nothing"]) if value == "" else value for key, value in details.items()}
    fault = _(PROOF[check.fault]) % details if check.fault else ""
    return Line(check.state, _(PROOF[check.key]) % check.values, fault, check.code)


def found_of(proof: Proof) -> Found:
    """Return a proof in the reader's language: what is wrong first of all, else how much fits."""
    names = card_names()
    lines = [line_of(check, names) for check in proof.checks]
    wrong = [(check, line) for check, line in zip(proof.checks, lines, strict=True) if line.state == BAD]
    # Stable: otherwise the order of the checks, which is that of the match.
    wrong.sort(key=lambda each: each[0].key in REPORTED_LAST)
    missing = proof.count(OPEN)
    folded = folded_of(proof.checks, lines)
    if wrong:
        return Found(BAD, _(PROOF["unfair"]), _(PROOF["is_bad"]) % {"fault": wrong[0][1].fault}, folded)
    if missing:
        summary = _(PROOF["some_open"]) % {"n": len(lines) - missing, "all": len(lines)}
        return Found(OPEN, _(PROOF["unfinished"]), summary, folded)
    # Of a record from anywhere nobody knows when its commitment was published.
    is_ours = any(check.key == "match" for check in proof.checks)
    return Found("ok", _(PROOF["fair" if is_ours else "fits"]), _(PROOF["all_ok"]) % {"n": len(lines)}, folded)


def folded_of(checks: Sequence[Check], lines: Sequence[Line]) -> list[Line]:
    """Return the lines, those of the deals as one."""
    folded: list[Line] = []
    pairs = list(zip(checks, lines, strict=True))
    for is_deal, group in groupby(pairs, key=lambda each: each[0].key in OF_DEALS):
        own = tuple(line for _check, line in group)
        folded += [_deals(own)] if is_deal else own
    return folded


def _deals(lines: tuple[Line, ...]) -> Line:
    bad = sum(line.state == BAD for line in lines)
    key = "deals_bad" if bad else "deals" if len(lines) > 1 else "deal_one"
    return Line(BAD if bad else OK, _(PROOF[key]) % {"n": len(lines), "bad": bad}, parts=lines)


@require_safe
def verify_words(request: HttpRequest, language: str) -> HttpResponse:
    """Send what the script needs in one language: words, names of cards, the cards of every game."""
    if language not in LANGUAGES:
        raise Http404(language)
    with override(language):
        content = {"words": {key: _(text) for key, text in PROOF.items()}, "cards": card_names()}
    response = JsonResponse({**content, "decks": decks(), "icons": static("site/icons.svg")})
    patch_cache_control(response, public=True, max_age=HOUR)
    return response


def refusal_text(error: TournamentError) -> str:
    """Return a refusal of a pasted record in the reader's language."""
    words = error.extra.get("words")
    values: Any = error.extra.get("values")
    return _(PROOF[words]) % values if isinstance(words, str) else str(error)


@require_http_methods(METHODS)
def verify_record(request: HttpRequest) -> HttpResponse:
    """Show the page for any record: paste it or choose its file."""
    return _answered(request, None, {})


@require_http_methods(METHODS)
def verify_match(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show the page of one match. `?check=server`: played again here; a POST checks what was pasted."""
    page = load(request, uuid)
    context: dict[str, Any] = {"page": page, "match": page.match, "event": page.match.stage.tournament}
    document = served_document(page)
    context |= {"players": players_of(page), "document": document, "seed": known_seed(page, document)}
    context["commit"] = commitment_of(page)
    context["legs"] = sorted([page.match, *page.siblings], key=lambda leg: leg.leg)
    context["kind"] = kind_of(page, document)
    context["level"] = level_text(page.match, page.report.body if page.report else None)
    return _answered(request, page, context)


def kind_of(page: MatchPage, document: Mapping[str, Any] | None) -> str:
    """Return what can be said of a match: `people`, `void`, `waiting`, `sealed` (the seed is not shown yet), or
    `whole`.
    """
    if page.match.deal_set is None and document is None:
        return "people"
    if page.match.state == Match.State.VOID:
        return "void"
    if document is None:
        return "waiting"
    return "whole" if seed_in(document) is not None else "sealed"


def _answered(request: HttpRequest, page: MatchPage | None, context: dict[str, Any]) -> HttpResponse:
    refusal: TournamentError | None = None
    try:
        if request.method == "POST":
            context["pasted"] = _pasted(request, page)
        elif page is not None and request.GET.get("check") == "server" and context["document"] is not None:
            # A match is played again for this: such requests are counted for the network that asks.
            proof = prove_match(page, context["document"], network=network_of_reader(request))
            context["found"] = found_of(proof)
    except TournamentError as error:
        refusal = error
        context |= {"refusal": refusal_text(error), "refusal_at": "record", "code": error.code}
    context["most"] = MAX_BYTES
    zone = page.match.stage.tournament.time_zone if page is not None else ""
    response = render_page(request, "matches/verify.html", context, status=422 if refusal else 200, zone=zone)
    return with_wait(response, refusal)


def _pasted(request: HttpRequest, page: MatchPage | None) -> Found:
    """Return what there is to say of a record that was sent. Raises TournamentError `proof.*`."""
    sent: Any = request.FILES.get("file")
    data: bytes = sent.read(MAX_BYTES + 1) if sent is not None else b""
    document = read_pasted(data or request.POST.get("record", "").encode("utf-8", "replace"))
    seed = seed_given(request.POST.get("seed", "")) or seed_in(document)
    # Only for a record of this very match: the seed of one match proves nothing about another.
    if seed is None and page is not None and names_match(page, document):
        known = known_seed(page, served_document(page))
        seed = bytes.fromhex(known) if known else None
    return found_of(prove_pasted(document, seed, page=page, network=network_of_reader(request)))
