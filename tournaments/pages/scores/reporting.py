"""Results from the desk: a scorer enters, an arbiter rules and, after seeing what follows, corrects."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.alphabet import name_key
from accounts.models import User
from core.errors import TournamentError
from engine.errors import DomainError
from tournaments.lifecycle.transitions import RULERS
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.report_bodies import Claim, missing_deals
from tournaments.models import Entry, Match, ResultReport
from tournaments.pages.notifications.following import follow_lines
from tournaments.pages.progress.level import extra_fields, level_text, read_extra
from tournaments.pages.scores.claim_boxes import boxes_of, first_box, wrong_boxes
from tournaments.pages.scores.claim_form import ClaimFields, fields_for, read_claim, read_version
from tournaments.pages.scores.claim_rows import rows_of
from tournaments.pairing.no_shows import about_to_leave
from tournaments.progress.corrections.cascade import KEEP, REDO
from tournaments.progress.corrections.level_decisions import accept_extra, draw_level_lots, rule_level, submit_extra
from tournaments.progress.corrections.results import (
    Correction,
    correct_result,
    play_again,
    preview_correction,
    who_belongs,
)
from tournaments.scores.actions import Actor, accept_result
from tournaments.scores.photos_query import photos_of
from tournaments.scores.renewed_slips import renew_slip
from tournaments.scores.rows import enter_seen, fingerprint, rule_seen
from tournaments.scores.tables import SideLine, Table, organiser_roles, table_of
from tournaments.standings.level_matches import level_of
from web.page import render_page, signed_in
from web.refusals import status_of

M = Match.State


def _load(request: HttpRequest, uuid: UUID) -> tuple[Table, frozenset[str]]:
    """Return a table of people and the reader's roles there, or 404 for a reader who has none."""
    match = Match.objects.select_related("stage__tournament").filter(uuid=uuid).first()
    if match is None or not match.stage.tournament.is_of_people or match.deal_set_id is not None:
        raise Http404(str(uuid))
    roles = organiser_roles(match.stage.tournament, signed_in(request))
    if not roles:
        raise Http404(str(uuid))
    return table_of(match), roles


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def result_page(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Enter, confirm, rule or correct: as the match's state asks for."""
    here, roles = _load(request, uuid)
    if request.method != "POST":
        return _page(request, here, roles)
    try:
        done = _act(request, here, signed_in(request))
    except TournamentError as refusal:
        correction = _looked_at(request, here, refusal)
        # Read again: the refusal may be that somebody else reported in between.
        now = table_of(here.match)
        return _page(request, now, roles, refusal=refusal, correction=correction, status=status_of(refusal))
    if isinstance(done, Correction):
        return _page(request, here, roles, correction=done)
    messages.success(request, done)
    return HttpResponseRedirect(reverse("tournament-desk", args=[here.match.stage.tournament.slug]))


def _act(request: HttpRequest, here: Table, by: User) -> str | Correction:
    """Do what the button asks for. verb: as `VERBS` of the API, and same, preview, enter, again, slip."""
    verb, match, reason = request.POST.get("verb", ""), here.match, request.POST.get("reason", "")
    if verb == "same":
        accept_result(match=match, actor=Actor(user=by), version=read_version(request.POST.dict()))
        return _("The result of table %(n)s is confirmed.") % {"n": match.known_table}
    if verb == "slip":
        side = _side(request, here)
        renew_slip(match=match, side=side, by=by)
        message = _("The slip of %(name)s is renewed; the old one no longer works. Print the slips of the round again.")
        return message % {"name": here.sides[side].name}
    if verb == "again":
        play_again(match=match, by=by, reason=reason)
        return _("Table %(n)s is cancelled; the next draw includes it again.") % {"n": match.known_table}
    if verb in ("extra", "agree", "decide", "lots"):
        return _decide(request, here, by)
    claim, version = _wanted(request, here)
    if verb == "rule":
        seen = request.POST.get("seen", "")
        rule_seen(match=match, by=by, claim=claim, version=version, reason=reason, seen=seen)
        return _("The dispute at table %(n)s is decided.") % {"n": match.known_table}
    then = request.POST.get("then", "") or KEEP
    if verb == "preview":
        return preview_correction(match=match, by=by, claim=claim, version=version, then=then)
    if verb == "correct":
        # The hash of the preview: what was not looked at is not done.
        seen = request.POST.get("seen", "")
        made = correct_result(match=match, by=by, claim=claim, version=version, reason=reason, seen=seen, then=then)
        _say_if_short(request, made)
        return _("The result of table %(n)s is corrected.") % {"n": match.known_table}
    # A version can be ruled or corrected to, not entered: that is for figures alone.
    if verb != "enter" or claim is None:
        raise Http404(verb)
    # What a phone reported since the page was loaded is looked at before it is overruled.
    key, seen = request.POST.get("key", ""), request.POST.get("seen", "")
    _say_if_short(request, enter_seen(match=match, by=by, claim=claim, seen=seen, key=key))
    return _("The result of table %(n)s is entered.") % {"n": match.known_table}


def _say_if_short(request: HttpRequest, report: ResultReport) -> None:
    """Warn of deals that are not filled in: an organiser may end a match early, but may have forgotten them too."""
    found = missing_deals(report.body, rules_of(report.match.stage))
    if found is not None:
        message = _("Only %(n)s of %(expected)s deals are filled in. If more were played, correct the result.")
        messages.warning(request, message % {"n": found[0], "expected": found[1]})


def _looked_at(request: HttpRequest, here: Table, refusal: TournamentError) -> Correction | None:
    """Return what a correction would do, once more for a person who only forgot to give a reason."""
    if request.POST.get("verb") != "correct" or not refusal.code.startswith("report.reason_"):
        return None
    # The figures are in the form still: nobody types them again for a forgotten reason.
    claim, version = _wanted(request, here)
    then = request.POST.get("then", "") or KEEP
    return preview_correction(match=here.match, by=signed_in(request), claim=claim, version=version, then=then)


def _decide(request: HttpRequest, here: Table, by: User) -> str:
    """Decide a match that ended level, and return the message."""
    verb, match, reason = request.POST.get("verb", ""), here.match, request.POST.get("reason", "")
    if verb == "extra":
        claim = read_extra(request.POST.dict(), match, len(here.sides), here.empty)
        submit_extra(match=match, actor=Actor(user=by), claim=claim, key=request.POST.get("key", ""))
    elif verb == "agree":
        accept_extra(match=match, actor=Actor(user=by), version=read_version(request.POST.dict()))
    elif verb == "decide":
        # One digit: a table has at most seven sides.
        sides = [int(side) for side in request.POST.getlist("side") if side.isdecimal() and len(side) == 1]
        rule_level(match=match, by=by, sides=sides, reason=reason)
    else:
        draw_level_lots(match=match, by=by, reason=reason)
    if level_of(match) is not None:
        return _("Table %(n)s is still tied: enter one more extra deal, or say who won.") % {"n": match.known_table}
    return _("Table %(n)s is decided.") % {"n": match.known_table}


def _side(request: HttpRequest, here: Table) -> int:
    text = request.POST.get("side", "")
    if not (text.isascii() and text.isdecimal() and len(text) == 1 and int(text) < len(here.sides)):
        raise Http404(text)
    return int(text)


def _wanted(request: HttpRequest, here: Table) -> tuple[Claim | None, int | None]:
    """Return one of the versions that were reported, or the figures of the form."""
    version = read_version(request.POST.dict())
    if version is not None:
        return None, version
    return read_claim(request.POST.dict(), _fields(here), complete=False), None


def _given(request: HttpRequest, here: Table) -> dict[str, str]:
    """Return what the form shows at first: what was sent, else what counts, else a walk-over against those who have
    left.
    """
    if request.method == "POST":
        return request.POST.dict()
    counted = next((each for each in here.reports if each.state == ResultReport.State.CONFIRMED), None)
    if counted is not None:
        seats = sorted(here.match.seats.all(), key=lambda seat: seat.index)
        return boxes_of(counted.body, [seat.side for seat in seats], _fields(here))
    return {f"absent_{side.index}": "1" for side in here.left}


def _fields(here: Table) -> ClaimFields:
    names = [side.name for side in here.sides]
    return fields_for(rules_of(here.match.stage), len(here.sides), here.empty, names)


def _page(
    request: HttpRequest,
    here: Table,
    roles: frozenset[str],
    *,
    refusal: DomainError | None = None,
    correction: Correction | None = None,
    status: int = 200,
) -> HttpResponse:
    match, counting = here.match, _counting(here)
    waiting = next((each for each in here.reports if each.state == ResultReport.State.SUBMITTED), None)
    level = level_text(match, counting.body if counting is not None else None)
    asks = level is not None and level.waits and "correct" not in request.GET and correction is None
    fields, given = _asked(request, here, asks=asks)
    context: dict[str, Any] = {
        "level": level,
        "asks": asks,
        "waiting": waiting,
        "shown": None if match.state == M.DISPUTED else counting or waiting,
        "table": here,
        "match": match,
        "event": match.stage.tournament,
        "may_rule": bool(roles & RULERS),
        "photos": [(photo, here.sides[photo.side].name) for photo in photos_of(match)],
        "rows": rows_of(fields, [side.marked for side in here.sides], given, wrong_boxes(refusal, fields)),
        "chosen": str(read_version(request.POST.dict()) or ""),
        "reason": request.POST.get("reason", ""),
        "for_desk": True,
        "repeated": [(name, value) for name, value in request.POST.items() if name not in NOT_REPEATED],
        # The same key when the form comes back with a refusal: a report that did arrive is not made twice.
        "key": request.POST.get("key") or uuid4().hex,
        **_refused(refusal, fields),
        "correction": correction,
        "belong": who_belongs(match) if roles & RULERS else (),
        **_consequences(here, correction),
        "slips": _slips(here, roles),
        "verb": {M.DISPUTED: "rule", M.CONFIRMED: "preview"}.get(M(match.state), "enter"),
        "is_over": match.state == M.VOID,
    }
    return render_page(request, "desk/result.html", context, status=status, zone=match.stage.tournament.time_zone)


def _asked(request: HttpRequest, here: Table, *, asks: bool) -> tuple[ClaimFields, dict[str, str]]:
    """Return the boxes of the form and what stands in them. asks: for a deal more, which decides a tie."""
    if asks:
        return extra_fields(here.match, len(here.sides), here.empty), request.POST.dict()
    return _fields(here), _given(request, here)


def _slips(here: Table, roles: frozenset[str]) -> list[SideLine]:
    """Return the sides whose slips an organiser may take back."""
    may = roles & RULERS and here.match.state not in OVER
    return [side for side in here.sides if may and side.has_slip]


def _no_shows(here: Table) -> list[str]:
    """Return a sentence for everybody whom one more no-show would withdraw from the event."""
    found = about_to_leave(here.match)
    rows = Entry.objects.filter(pk__in=found).select_related("player")
    named = sorted(((row.player.name, found[row.pk]) for row in rows), key=lambda each: name_key(each[0]))
    message = _("If %(name)s did not come, that is no-show %(n)s of %(most)s: they leave the event.")
    most = here.match.stage.tournament.no_show_limit
    return [message % {"name": name, "n": n, "most": most} for name, n in named]


def _refused(refusal: DomainError | None, fields: ClaimFields) -> dict[str, Any]:
    """Return a refusal for the page's summary, with the field to blame."""
    is_of_reason = refusal is not None and refusal.code.startswith("report.reason_")
    at = "reason" if is_of_reason else first_box(refusal, fields)
    return {"refusal": refusal, "of_reason": is_of_reason, "refusal_at": at}


def _counting(here: Table) -> ResultReport | None:
    return next((each for each in here.reports if each.state == ResultReport.State.CONFIRMED), None)


def _consequences(here: Table, correction: Correction | None) -> dict[str, Any]:
    """Return what a tick would bring, or a correction that is looked at, for its page; seen: what it was made on."""
    seen = fingerprint(here)
    if correction is None:
        no_shows = _no_shows(here) if here.match.state != M.CONFIRMED else ()
        return {"seen": seen, "follows": (), "instead": "", "no_shows": no_shows}
    return {"seen": seen, "follows": follow_lines(correction), "instead": _instead(correction)}


def _instead(correction: Correction) -> str:
    """Return the other choice about what people have begun, if there is anything of that sort."""
    if correction.then == REDO:
        return KEEP
    return REDO if correction.later else ""


OVER = (M.CONFIRMED, M.VOID)
NOT_REPEATED = ("verb", "reason", "seen", "then", "csrfmiddlewaretoken")
"""Fields that the form which confirms a correction sets itself; all others it sends again as they were."""
