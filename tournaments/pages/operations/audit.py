"""Audit: who did what, when, and what changed by it; for organisers, for owners, for operators. Others get a 404."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bots.models import AuditEvent, Bot
from tournaments.operations import audit
from tournaments.pages.events.event import load, render_event
from web.page import render_page, signed_in
from web.paging import page_of

SIZE = 50


@require_safe
@login_required
def event_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the audit of an event, for its organisers and for operators who may see the event."""
    # Operators too: a private event that is not for them is not there for them either.
    page = load(request, slug)
    if not page.is_organiser and not signed_in(request).is_staff:
        raise Http404(slug)
    acts = page_of(request, audit.audit_of_event(page.event), size=SIZE)
    newest = str(acts.rows[0].pk) if acts.rows else ""
    context = {"acts": acts, "lines": audit.audit_lines(acts.rows, signed_in(request))}
    return render_event(request, page, "audit", context, etag=newest, template="desk/audit.html")


@require_safe
@login_required
def bot_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the audit of a bot and its versions, for its owner and for operators."""
    bot, person = Bot.objects.filter(slug=slug).first(), signed_in(request)
    if bot is None or not (person.is_staff or bot.owner_id == person.pk):
        raise Http404(slug)
    return _page(request, audit.audit_of_bot(bot), bot.name, reverse("bot", args=[slug]))


@require_safe
@login_required
def all_audit(request: HttpRequest) -> HttpResponse:
    """Show the audit of everything, for operators. `?verb=version.&who=kiri` narrows it; `who=-`: acts of the
    service.
    """
    if not signed_in(request).is_staff:
        raise Http404
    verb, who = (request.GET.get(name, "").strip()[:60] for name in ("verb", "who"))
    rows = audit.audit_of_all(verb=verb, who=who)
    return _page(request, rows, _("Everything"), reverse("queue"), verb=verb, who=who, is_all=True)


def _page(request: HttpRequest, rows: QuerySet[AuditEvent], name: str, back: str, **more: str | bool) -> HttpResponse:
    acts = page_of(request, rows, size=SIZE)
    lines = audit.audit_lines(acts.rows, signed_in(request))
    context = {"acts": acts, "lines": lines, "name": name, "back": back, **more}
    return render_page(request, "pages/audit.html", context)
