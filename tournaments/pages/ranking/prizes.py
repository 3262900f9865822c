"""Pages of an organiser: the prizes of an event, its categories, and who would win what."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.alphabet import ByName
from accounts.blaming import blame
from core.errors import TournamentError
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry, PrizeCategory
from tournaments.pages.events.event import load, render_event
from tournaments.pages.ranking.prize_forms import (
    PrizeSettingsForm,
    category_forms,
    plans_of,
    prize_forms,
)
from tournaments.ranking.event_ranking import ranking_of
from tournaments.ranking.prizes import are_public, awards_of, prizes_of
from tournaments.ranking.set_prizes import mark_category, set_prizes
from web.page import show_refusal, signed_in
from web.refusals import status_of

BESIDE = {"prizes.bad_category": "name", "prizes.bad_prize": "words", "prizes.bad_settings": "currency"}
"""Fields by the code of the refusal that stands beside them."""


def _open(request: HttpRequest, slug: str) -> EventPage:
    """Return the event for its organisers; 404 for everybody else: who is in which category is private."""
    page = load(request, slug)
    if not page.all_roles & ORGANISERS:
        raise Http404(slug)
    return page


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def prizes_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and change the prizes, and who would win them as things stand."""
    page = _open(request, slug)
    found, status = prizes_of(page.event), 200
    form = PrizeSettingsForm(request.POST or None, chosen=found.settings)
    categories = category_forms(found.categories, page.event, request.POST or None)
    prizes = prize_forms(found, request.POST or None)
    if request.method == "POST":
        status = 422
        if form.is_valid() & categories.is_valid() & prizes.is_valid():
            try:
                plans = plans_of(categories, prizes)
                set_prizes(tournament=page.event, by=signed_in(request), changes=dict(form.cleaned_data), **plans)
                messages.success(request, _("Saved."))
                return redirect("tournament-prizes", slug)
            except TournamentError as refusal:
                blame(_to_blame(form, categories, prizes, refusal), refusal, beside=BESIDE)
                status = status_of(refusal)
    ranking = ranking_of(page.event, stages=page.stages)
    context: dict[str, Any] = {"form": form, "categories": categories, "prizes": prizes, "ranking": ranking}
    context |= {"awards": awards_of(found, ranking), "is_public": are_public(found.settings, page.event)}
    context |= {"settings": found.settings, "is_organiser": True}
    context["sizes"] = [(each, len(found.members[each.pk])) for each in found.categories]
    answer = render_event(request, page, "ranking", context, template="ranking/prizes.html")
    answer.status_code = status
    return answer


def _to_blame(form: forms.Form, categories: Any, prizes: Any, refusal: TournamentError) -> forms.Form:
    """Return the form of the category or the prize that a refusal names by its number among those with words."""
    for formset, field, extra in ((categories, "name", "category"), (prizes, "words", "prize")):
        filled = [each for each in formset.forms if each.cleaned_data.get(field, "").strip()]
        number = refusal.extra.get(extra)
        if isinstance(number, int) and 1 <= number <= len(filled):
            found: forms.Form = filled[number - 1]
            return found
    return form


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def category_page(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Show and change who is in a category that is marked by hand; of the others who is in it."""
    page = _open(request, slug)
    category = PrizeCategory.objects.filter(tournament=page.event, uuid=uuid).select_related("tournament").first()
    if category is None:
        raise Http404(str(uuid))
    if request.method == "POST":
        try:
            mark_category(category=category, by=signed_in(request), entries=request.POST.getlist("entry"))
        except TournamentError as refusal:
            show_refusal(request, refusal)
            return redirect("tournament-category", slug, uuid)
        messages.success(request, _("Saved."))
        return redirect("tournament-prizes", slug)
    members = prizes_of(page.event).members[category.pk]
    entries = Entry.objects.filter(tournament=page.event).exclude(state=Entry.State.PARTNERED).select_related("player")
    rows = [(entry, entry.pk in members) for entry in entries.order_by(ByName("player__name"), "pk")]
    context = {"category": category, "rows": rows, "by_hand": category.kind == PrizeCategory.Kind.HAND}
    return render_event(request, page, "ranking", context, template="ranking/category.html")
