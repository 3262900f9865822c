"""Pages of what a person follows, what happened there, and how they are notified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.letters import mail_folder
from accounts.models import User
from accounts.views import safe_next
from accounts.zones import COOKIE, zone_named
from engine.errors import DomainError
from tournaments.interchange.calendars import calendar_token
from tournaments.models import Follow, Notice, NoticePlan
from tournaments.notifications import followed, lines, plans_query
from tournaments.notifications.consumer import channel_of, version_of
from tournaments.notifications.follow import follow, mark_read, unfollow
from tournaments.notifications.plans import choose_notices
from tournaments.notifications.seen import newest_of, notices_of
from tournaments.pages.notifications import push
from tournaments.people import queries as people
from tournaments.sse import live_token
from web.page import render_page, show_refusal, signed_in
from web.paging import MAX_EXAMINED, page_of

SIZE: Final = 30
OWN: Final = (Notice.Kind.VERSION, Notice.Kind.FAULT, Notice.Kind.CHALLENGE)
"""Kinds of notices about one's own bots."""
AT_TABLES: Final = (
    Notice.Kind.CALLED,
    Notice.Kind.TURN,
    Notice.Kind.TABLE,
    Notice.Kind.REPORT,
    Notice.Kind.RESULT,
    Notice.Kind.PLACE,
)
"""Kinds of notices about tables at which one plays."""


@require_safe
@login_required
def news(request: HttpRequest) -> HttpResponse:
    """Show what happened where the reader looks, newest first; `?unread=1` what is unread. Ten queries at most."""
    person = signed_in(request)
    only_unread = request.GET.get("unread") == "1"
    # The rows are read later, by page_of: what comes in between is told again, never missed.
    found, version = notices_of(person, unread=only_unread), version_of(person)
    page = page_of(request, lines.with_all(found), size=SIZE, most=MAX_EXAMINED)
    channel = channel_of(person.uuid)
    context = {
        "tab": "news",
        "page": page,
        "lines": lines.lines_of(page.rows),
        "newest": newest_of(person) if person.unread_news else 0,
        "only_unread": only_unread,
        "follows_any": bool(page.rows) or Follow.objects.filter(user=person).exists(),
        "channels": f"{channel}@{version}",
        "live_token": live_token([channel]),
    }
    return render_page(request, "pages/follow.html", context, version=f"{version}.{page.total}")


@require_safe
@login_required
def notice(request: HttpRequest, number: int) -> HttpResponse:
    """Open what a notice is about; it is read from then on."""
    person = signed_in(request)
    # Among one's own: the number of somebody else's notice is a 404.
    row = lines.with_all(notices_of(person)).filter(pk=number).first()
    if row is None:
        raise Http404(str(number))
    mark_read(user=person, only=row.pk)
    return redirect(lines.path_of(row))


@require_POST
@login_required
def read(request: HttpRequest) -> HttpResponse:
    """Mark all that the page showed as read; what came since is not."""
    upto = request.POST.get("upto", "")
    # 18 digits always fit a bigint.
    if not upto.isdecimal() or len(upto) > 18:
        raise Http404(upto)
    mark_read(user=signed_in(request), upto=int(upto))
    return redirect("follow")


@require_safe
@login_required
def follows(request: HttpRequest) -> HttpResponse:
    """Show what the reader follows, searched, in pages; and what they are entered in. `?gone=bot:plum`: what to offer
    again.
    """
    person = signed_in(request)
    kind, words = request.GET.get("kind", "")[:12], request.GET.get("q", "").strip()[:60]
    found = followed.follows_of(person, kind=kind, words=words)
    page = page_of(request, followed.with_names(found), size=SIZE, most=MAX_EXAMINED)
    gone_kind, _colon, gone = request.GET.get("gone", "")[:80].partition(":")
    context = {
        "tab": "list",
        "page": page,
        "lines": followed.lines_of(page.rows),
        "kind": kind,
        "words": words,
        "kinds": _kinds(),
        "entered": people.entered_by(person) if page.number == 1 and not words and not kind else [],
        "gone": {"kind": gone_kind, "what": gone} if gone and gone_kind in followed.KINDS else None,
    }
    return render_page(request, "pages/follows.html", context)


def _kinds() -> list[tuple[str, str]]:
    words = (_("events"), _("bots"), _("people with an account"), _("players of an event"), _("tables"))
    return [("", _("everything")), *zip(followed.KINDS, words, strict=True)]


@require_POST
@login_required
def follow_do(request: HttpRequest, verb: str) -> HttpResponse:
    """Follow a thing or stop; `kind` and `what` name it. Twice is once. What the reader may not see is a 404."""
    person, kind, what = signed_in(request), request.POST.get("kind", "")[:12], request.POST.get("what", "")[:80]
    if verb not in ("follow", "unfollow") or kind not in followed.KINDS:
        raise Http404(verb)
    thing = followed.thing(person, kind, what)
    if thing is None:
        raise Http404(what)
    if verb == "unfollow":
        unfollow(user=person, **thing)
        return redirect(safe_next(request, f"{reverse('follows')}?gone={kind}:{what}"))
    try:
        follow(user=person, **thing)
        messages.success(request, _("You follow it: its news appears on your page “Following”."))
    except DomainError as refusal:
        show_refusal(request, refusal)
    return redirect(safe_next(request, reverse("follows")))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def plan(request: HttpRequest) -> HttpResponse:
    """Choose how to hear of each kind of news: on the page, by a mail each morning or at once; and the calendar."""
    person = signed_in(request)
    if request.method == "POST":
        # Only kinds that were sent: a form that is older than a new kind leaves that one as it is.
        chosen = {kind: request.POST[kind] for kind in Notice.Kind.values if kind in request.POST}
        zone = request.COOKIES.get(COOKIE, "")
        try:
            choose_notices(
                user=person, choices=chosen, push=_push_chosen(request), time_zone=zone if zone_named(zone) else ""
            )
            messages.success(request, _("Saved."))
        except DomainError as refusal:
            show_refusal(request, refusal)
        return redirect("notice-plan")
    preferences = plans_query.plan_of(person)
    context = {
        "tab": "plan",
        "groups": _groups(preferences),
        "ways": _ways(),
        "person": person,
        "folder": mail_folder(),
        "zone": _zone(person, preferences.time_zone),
        "calendar": calendar_token(person),
        "push": push.context_of(user=person),
    }
    return render_page(request, "notices/plan.html", context)


def _push_chosen(request: HttpRequest) -> dict[str, bool]:
    """Return for the kinds that the form had whether browsers are told: a box without a tick is not sent."""
    return {kind: f"push-{kind}" in request.POST for kind in Notice.Kind.values if kind in request.POST}


def _zone(person: User, fallback: str) -> str:
    return person.time_zone or fallback or "UTC"


def _ways() -> list[tuple[str, str]]:
    """Return how a mail may come, in the words of a column that is headed "Email"."""
    how = Notice.How
    return [(how.PAGE, _("never")), (how.DIGEST, _("daily")), (how.INSTANT, _("at once"))]


def _groups(plan: NoticePlan) -> list[tuple[str, Sequence[tuple[str, str, str, bool]]]]:
    """Return the kinds to choose for, (id, label, how it is now, are browsers told): of events, tables, bots."""
    how, has_push = plans_query.how_of, plans_query.has_push
    of_events = [kind for kind in Notice.Kind if kind not in (*AT_TABLES, *OWN)]
    groups = ((_("Events"), of_events), (_("My tables"), AT_TABLES), (_("My bots"), OWN))
    return [
        (title, [(kind.value, str(kind.label), how(plan.choices, kind), has_push(plan.push, kind)) for kind in kinds])
        for title, kinds in groups
    ]


def context_of_stop(kind: str) -> dict[str, Any]:
    """Return what the page of an unsubscribing link says it is about."""
    return {"kind": kind, "label": Notice.Kind(kind).label if kind else ""}
