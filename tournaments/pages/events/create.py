"""Pages of a new tournament: who is to play, for people the formats that fit, and the form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bots.templatetags.hanami import sprite_of
from core.errors import TournamentError
from engine.game import game_of
from engine.games import PRESETS
from tournaments.events.create import create_tournament
from tournaments.pages.events.audiences import ABOVE, AUDIENCES, BOTH, PEOPLE
from tournaments.pages.events.create_form import EventForm
from tournaments.pages.events.drawing import drawing_with_time
from tournaments.pages.events.offers import sent_as_it_is, shown_offers
from tournaments.pages.events.proposing import OWN, QuestionForm, address_of, cards, initial_from, with_usual
from tournaments.pages.events.sizes_form import EXPECTED
from tournaments.pages.events.stage_acts import Make, after_act, blame_stage
from tournaments.pages.events.stages_form import ACT
from tournaments.pages.events.summary import SUMMARY, Summary, summary_in
from tournaments.pages.events.templates import audience_of, initial_of
from web.page import render_page, signed_in
from web.refusals import with_wait

USUAL_SEATS = 4
BESIDE = {
    "tournament.name_invalid": "name",
    "tournament.name_taken": "name",
    "tournament.bad_seating": "seats",
    "tournament.bad_venue": "venue",
    "then": "template",
    "ways": "go_on",
    "progression.start": "template",
}
"""Field of the form by a refusal's code, or by the name in a plan."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest) -> HttpResponse:
    """Ask who plays; for people propose formats; show the form. What is sent becomes a draft that only its organiser
    sees.
    """
    audience, template = _audience(request), request.GET.get("template", "")[:20]
    asked, proposed, context = _proposed(request) if audience == PEOPLE and not template else (None, None, {})
    if request.method != "POST" and (not audience or (asked and proposed is None)):
        return _first_page(request, asked or _question(request), context)
    initial, sentence = initial_of(
        template, *(request.GET.get(name, "")[:5] for name in ("people", "tables", "minutes"))
    )
    values = {**_initial(request), "who": audience or "bots", **initial, **(proposed or {})}
    values[EXPECTED] = request.GET.get("people", "")[:5]

    def make(data: QueryDict | None, typed: Mapping[str, Any] | None = None) -> EventForm:
        return EventForm(data, initial={**values, **(typed or {})}, audience=audience or BOTH)

    is_proposed = bool(proposed) and request.GET.get("format") != OWN
    context |= {"audience": audience or BOTH, "sentence": sentence, "is_chosen": bool(initial) or is_proposed}
    if "question" not in context:
        context |= shown_offers(audience or BOTH, request.GET)
    if request.method == "POST" and ACT in request.POST:
        return _acted(request, make, request.POST[ACT][:20], context)
    return _form_page(request, make, context)


def _acted(request: HttpRequest, make: Make[EventForm], act: str, context: dict[str, Any]) -> HttpResponse:
    """Show the form after a button that saves nothing; the script beside it is sent the summary alone."""
    if act == SUMMARY:
        return render_page(request, "tournaments/_summary.html", {"summary": _summary(request, make)})
    form, plan = after_act(make, request.POST, act)
    drawn = {"drawing": drawing_with_time(plan, plan.max_entries), "drawn_for": plan.max_entries} if plan else {}
    shown = {"form": form, "summary": _summary(request, make), **drawn, **form.card_forms, **context}
    return render_page(request, "tournaments/new.html", shown, status=422 if form.errors else 200)


def _form_page(request: HttpRequest, make: Make[EventForm], context: dict[str, Any]) -> HttpResponse:
    """Show the form, or make a draft of what was sent."""
    form, refused = make(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        try:
            event = create_tournament(by=signed_in(request), plan=form.plan())
        except TournamentError as refusal:
            refused = refusal
            blame_stage(form, refusal, BESIDE | form.blamed)
        else:
            messages.success(request, _("The draft is ready. Only you see it until you announce it."))
            return redirect("tournament", event.slug)
    # What decides an event of both stands above the fold already.
    is_short = context["is_chosen"] or form.audience == BOTH
    form.is_tuned = not is_short or not set(form.errors) <= ABOVE[form.audience]
    shown = {"form": form, "summary": _summary(request, make, form), **form.card_forms, **context}
    shown["is_untouched"] = not form.is_bound
    page = render_page(request, "tournaments/new.html", shown, status=422 if form.is_bound else 200)
    return with_wait(page, refused)


def _summary(request: HttpRequest, make: Make[EventForm], untouched: EventForm | None = None) -> Summary:
    """Return what the event comes to as the form was sent, else as it is shown first."""
    sent = sent_as_it_is(untouched) if untouched is not None and not untouched.is_bound else request.POST
    return summary_in(make, sent, request.GET)


def _audience(request: HttpRequest) -> str:
    """Return for whom the form is wanted; "" where nobody said. A number of people says it, too."""
    wanted = request.GET.get("for", "")
    if wanted in AUDIENCES:
        return wanted
    template = request.GET.get("template", "")[:20]
    return audience_of(template) if template or "people" not in request.GET else PEOPLE


def _question(request: HttpRequest) -> QuestionForm:
    """Return the first questions, with those that are answered."""
    # Ids of its own: the form of the event, below it, has fields of the same names.
    own = {"auto_id": "ask_%s"}
    if "people" in request.GET:
        return QuestionForm(with_usual(request.GET), **own)
    preset = request.GET.get("preset", "")
    return QuestionForm(initial={"preset": preset} if preset in PRESETS else {}, **own)


def _proposed(request: HttpRequest) -> tuple[QuestionForm, dict[str, Any] | None, dict[str, Any]]:
    """Return the question, the first values of the form once a format is chosen, and what the page shows of both."""
    asked, chosen = _question(request), request.GET.get("format", "")[:20]
    found = asked.proposals() if asked.is_bound else []
    context: dict[str, Any] = {"question": asked, "own_address": address_of(request.GET, OWN)}
    if found:
        context["cards"] = cards(asked, found, request.GET, chosen)
    picked = next((each for each in found if each.key == chosen), None)
    if picked is not None:
        return asked, initial_from(picked), context
    # A form of one's own has room for everybody who was asked about.
    return asked, (_room(asked) if chosen == OWN else None), context


def _room(asked: QuestionForm) -> dict[str, Any]:
    if not asked.is_bound or not asked.is_valid():
        return {"who": PEOPLE}
    question = asked.question()
    return {"who": PEOPLE, "preset": question.preset, "max_entries": max(16, question.entries)}


def _first_page(request: HttpRequest, asked: QuestionForm, context: dict[str, Any]) -> HttpResponse:
    """Show the choice between people and bots, with the questions about people; then the formats that fit them."""
    shown = {"question": asked, "own_address": address_of(request.GET, OWN), **context}
    shown |= {"sprite": sprite_of(request), **shown_offers(PEOPLE, request.GET)}
    status = 422 if asked.is_bound and asked.errors else 200
    return render_page(request, "tournaments/new_choice.html", shown, status=status)


def _initial(request: HttpRequest) -> dict[str, object]:
    preset = request.GET.get("preset", "")
    seats = request.GET.get("seats", "")
    preset = preset if preset in PRESETS else "hawaii"
    wanted = int(seats) if seats in {"2", "3", "4", "5", "6", "7"} else USUAL_SEATS
    low, high = game_of(PRESETS[preset].game).seat_range
    # The zone of the reader's pages, which is the best guess for where they hold events.
    zone = str(getattr(timezone.get_current_timezone(), "key", "UTC"))
    return {"preset": preset, "seats": min(max(wanted, low), high), "time_zone": zone}
