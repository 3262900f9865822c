"""Comparisons of two versions: the list, the form, one of them as it goes on, its data; an owner's policy."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.blaming import blame
from bots.models import Bot
from core.errors import TournamentError
from tournaments.comparisons import queries as challenges
from tournaments.comparisons.actions import start_challenge, stop_challenge
from tournaments.comparisons.words import sentences
from tournaments.matches.deal_sets import rules_of
from tournaments.models import BotPolicy, Challenge
from tournaments.pages.comparisons.comparison_form import ChallengeForm, PolicyForm
from tournaments.pages.comparisons.llr_plot import plot_of
from tournaments.ratings.bot_policies import choose_policy
from web.page import render_page, show_refusal, signed_in, viewer
from web.paging import far, page_of
from web.presets import preset_title
from web.refusals import refused, with_wait
from web.sending import send_file

BESIDE: Final = {"tournament.bad_seating": "seats", "tournament.bad_option": "deals", "alpha": "sure", "beta": "sure"}
"""Field of the form by a refusal's code, or by the name in a plan."""
COLUMNS: Final = ("number", "deal_set", "score", "llr", "candidate_forfeits", "reference_forfeits", "matches")


@require_safe
def challenge_list(request: HttpRequest) -> HttpResponse:
    """Show comparisons of bots of two owners, and the reader's own."""
    person = viewer(request)
    whose = "mine" if request.GET.get("whose") == "mine" and person is not None else ""
    words = request.GET.get("q", "").strip()[:60]
    page = page_of(request, challenges.listed(person, whose=whose, words=words), most=far(words))
    return render_page(request, "challenges/list.html", {"page": page, "whose": whose, "words": words})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def challenge_new(request: HttpRequest) -> HttpResponse:
    """Ask which two, by which rules; `?candidate=&reference=` (versions) or `?rival=` (a bot) fill it in."""
    person, refusal = signed_in(request), None
    form = ChallengeForm(request.POST or None, owner=person, initial=_asked(request))
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("challenge", start_challenge(by=person, plan=form.plan()).uuid)
        except TournamentError as error:
            refusal = error
            # The same comparison runs already, from a second click or another tab: there is its page.
            if "challenge" in error.extra:
                show_refusal(request, error)
                return redirect("challenge", error.extra["challenge"])
            blame(form, error, beside=BESIDE)
    has_versions = challenges.own_versions(person).exists()
    context = {"form": form, "has_versions": has_versions}
    status = 422 if request.method == "POST" else 200
    return with_wait(render_page(request, "challenges/new.html", context, status=status), refusal)


def _asked(request: HttpRequest) -> dict[str, Any]:
    asked = {name: request.GET[name] for name in ("candidate", "reference", "rival", "preset") if name in request.GET}
    return {"preset": "hawaii", **{name: value[:60] for name, value in asked.items()}}


@require_safe
def challenge(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show how far a comparison is: the sentence, the plot with its bounds and data, pairs, seats, what decided
    most.
    """
    try:
        page = challenges.challenge_page(uuid)
    except Challenge.DoesNotExist as missing:
        raise Http404(str(uuid)) from missing
    person = viewer(request)
    context = {
        "page": page,
        "challenge": page.challenge,
        "plot": plot_of(page.points, page.bounds),
        "sentences": sentences(page),
        "preset_name": preset_title(page.challenge.stage.preset),
        "deals": getattr(rules_of(page.challenge.stage).options, "rounds", None),
        "pair_labels": ("0", "½", "1", "1½", "2"),
        "may_stop": page.is_running and person is not None and (person.is_staff or person.pk == page.challenge.by_id),
    }
    version = f"{page.version}.{page.challenge.judged}.{page.challenge.state}"
    return render_page(request, "challenges/challenge.html", context, version=version)


@require_POST
@login_required
def challenge_do(request: HttpRequest, uuid: UUID, verb: str) -> HttpResponse:
    """Stop a comparison."""
    found = Challenge.objects.select_related("stage").filter(uuid=uuid).first()
    if found is None or verb != "stop":
        raise Http404(str(uuid))
    try:
        stop_challenge(challenge=found, by=signed_in(request))
    except TournamentError as refusal:
        return refused(request, refusal, back=reverse("challenge", args=[uuid]))
    messages.success(request, _("The comparison is over. You can still see everything that was played."))
    return redirect("challenge", uuid)


@require_safe
def challenge_data(request: HttpRequest, uuid: UUID, kind: str) -> HttpResponse:
    """Send every deal set that was judged, as CSV or JSON."""
    try:
        found = challenges.challenge_of(uuid)
    except Challenge.DoesNotExist as missing:
        raise Http404(str(uuid)) from missing
    known, name = request.headers.get("If-None-Match"), f"comparison-{str(uuid)[:8]}.{kind}"
    if kind == "json":
        content = json.dumps(challenges.document_of(found), indent=1).encode()
        return send_file(content, "application/json", name, known=known)
    if kind != "csv":
        raise Http404(kind)
    return send_file(_csv(found), "text/csv; charset=utf-8", name, known=known)


def _csv(found: Challenge) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for row in challenges.data_rows(found):
        writer.writerow({**row, "score": row["score"] or "", "matches": " ".join(row["matches"])})
    return text.getvalue().encode()


def policy_form(bot: Bot) -> PolicyForm:
    """Return the form on the page of a bot (read with its `policy`), as its owner has it now."""
    policy = getattr(bot, "policy", None) or BotPolicy(bot=bot)
    return PolicyForm(initial={"challenges": policy.challenges, "in_ladders": policy.in_ladders})


@require_POST
@login_required
def bot_policy(request: HttpRequest, slug: str) -> HttpResponse:
    """Store whose bots may be compared with it, and whether it enters the official ladders on its own."""
    person = signed_in(request)
    # Another's bot is a 404, like none: nobody learns what exists by trying.
    bot, form = Bot.objects.filter(slug=slug, owner=person).first(), PolicyForm(request.POST)
    if bot is None:
        raise Http404(slug)
    if form.is_valid():
        choose_policy(bot=bot, by=person, **form.cleaned_data)
        messages.success(request, _("Saved."))
    else:
        messages.error(request, _("There is no such choice. Nothing was changed."))
    return redirect("bot", slug)
