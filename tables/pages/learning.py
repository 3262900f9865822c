"""Lessons: a first deal against the house, explained. What was played stands in the address: nothing is stored."""

from __future__ import annotations

import re
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bots.templatetags.hanami import sprite_of
from core.replay import facts
from core.replay.phrases import INTERFACE
from engine.cards import CODES
from tables.house import LEVELS
from tables.lessons.course import LEARNER, MAX_ANSWERS, SEATS, Course, NoSuchStep, course_of
from tables.lessons.explaining import explain
from tables.lessons.shelf import LESSONS, next_after
from tables.view.board import deals_of, moves_of, yaku_of
from tables.view.choices import choice_of
from tables.view.drawn import drawn
from tables.view.seen import Seen, seen_by
from tournaments.pages.matches.matches import phrasebook_of
from tournaments.pages.rules.portraits import months_of_cards
from web.page import render_page, viewer

ANSWERS: Final = re.compile(rf"\d{{1,2}}(?:\.\d{{1,2}}){{0,{MAX_ANSWERS - 1}}}")
EASIEST: Final = next(iter(LEVELS))
SHOWN: Final = 3
"""Cards that stand for a kind."""


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """List the lessons."""
    context = {"lessons": list(LESSONS.values()), "kinds": kinds_of_cards(), "months": months_of_cards()}
    return render_page(request, "learn/index.html", context)


def kinds_of_cards() -> list[tuple[str, list[str], int]]:
    """Return the four kinds: (name, the first cards of it, how many there are)."""
    return [(_(INTERFACE[kind]), cards[:SHOWN], len(cards)) for kind, cards in facts.group(CODES, "koikoi")]


@require_safe
def lesson_page(request: HttpRequest, lesson: str) -> HttpResponse:
    """Show a lesson after the answers `?a=3.0.1`; an address that fits no deal leads to its beginning.

    `?part&after=`: for the script, the moves after that many and the part of the page that shows the table, as JSON.
    """
    found = LESSONS.get(lesson)
    if found is None:
        raise Http404(lesson)
    try:
        course = course_of(found, answers_of(request.GET.get("a", "")))
    except NoSuchStep:
        return redirect("lesson", lesson)
    seen = _seen(request, course)
    context = _context(request, course, seen)
    if "part" in request.GET:
        return _part(request, course, seen, context)
    return render_page(request, "learn/lesson.html", context)


def answers_of(text: str) -> list[int]:
    """Return the answers that an address names. Raises NoSuchStep."""
    if not text:
        return []
    if not ANSWERS.fullmatch(text):
        raise NoSuchStep(text)
    return [int(one) for one in text.split(".")]


def _names(request: HttpRequest) -> tuple[str, str]:
    """Return what the learner and the house are called."""
    person = viewer(request)
    return (person.shown_name if person is not None else _("Guest")), _("House")


def _seen(request: HttpRequest, course: Course) -> Seen:
    book = phrasebook_of(get_language() or "en", course.fold.match.ruleset.game)
    return seen_by(course.fold, LEARNER, _names(request), book, match_id="", preset=course.lesson.preset)


def _context(request: HttpRequest, course: Course, seen: Seen) -> dict[str, Any]:
    lesson, question, eyes = course.lesson, course.fold.question, seen.eyes
    legal = question.legal if question is not None else ()
    choices = [choice_of(action, index, eyes.field, seen.book) for index, action in enumerate(legal)]
    phase = facts.words_of(seen.match.ruleset.game).phases.get(eyes.phase, "")
    return drawn(seen) | {
        "lesson": lesson,
        "course": course,
        "said": explain(course, seen.replay, seen.book, choices),
        "choices": [each | {"answers": _after(course, each["i"])} for each in choices],
        "step": len(course.answers) + 1,
        "phase": _(phase) if phase else "",
        "back": ".".join(map(str, course.answers[:-1])),
        "after": sum(seen.told),
        "next": next_after(lesson),
        "seats_n": SEATS,
        "level": EASIEST,
        "sprite": sprite_of(request),
    }


def _after(course: Course, index: int) -> str:
    """Return the answers of a lesson with one more."""
    return ".".join(map(str, (*course.answers, index)))


def _part(request: HttpRequest, course: Course, seen: Seen, context: dict[str, Any]) -> JsonResponse:
    text = request.GET.get("after", "")
    after = int(text) if text.isdecimal() and len(text) < 4 else None
    moves, resync = moves_of(seen, after)
    names = {"body": "learn/_part.html", "told": "learn/_coach.html"}
    given = ".".join(map(str, course.answers))
    found = {
        "me": LEARNER,
        "told": sum(seen.told),
        "resync": resync,
        "times": [],
        "moves": moves,
        "deals": deals_of(seen),
        "board": {"yaku": yaku_of(seen)},
        "address": reverse("lesson", args=[course.lesson.id]) + (f"?a={given}" if given else ""),
        "part": {name: render_to_string(template, context, request) for name, template in names.items()},
    }
    response = JsonResponse(found, json_dumps_params={"ensure_ascii": False, "separators": (",", ":")})
    response["Cache-Control"] = "private, no-cache"
    return response
