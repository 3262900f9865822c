"""Pages of remote programs: the list, one with a form to play against it, and one's own."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.blaming import blame
from engine.errors import DomainError
from engine.games import PRESETS
from tables.actions.sitters import Sitter
from tables.models import Program
from tables.pages.doing import count_seat, nonce_of, posted_from, values_of
from tables.pages.guests import sitter_who_sits
from tables.pages.program_forms import CLOCK_NAMES, PlayForm, ProgramForm, can_be_played, filled
from tables.programs.challenges import challenge
from tables.programs.listing import program_of, programs_listed, ratings_of
from tables.programs.presence import is_here
from tables.programs.registry import change, is_retired, register
from tables.programs.retiring import retire_program
from web.page import render_page, show_refusal, signed_in, viewer
from web.paging import far, page_of
from web.refusals import with_wait
from web.statuses import status_of


@require_safe
def program_list(request: HttpRequest) -> HttpResponse:
    """Show programs that are not retired, newest first: by rules, by name, those that are connected."""
    asked = request.GET.get("preset", "")
    preset = asked if asked in PRESETS else ""
    words, online = request.GET.get("q", "").strip()[:60], request.GET.get("online") == "1"
    rows = programs_listed(preset=preset, words=words, is_here=online).filter(version__state="remote")
    page = page_of(request, rows, size=40, most=far(words))
    context = {
        "page": page,
        "lines": [(program, is_here(program), _best(program, preset)) for program in page.rows],
        "presets": list(PRESETS),
        "preset": preset,
        "words": words,
        "online": online,
    }
    return render_page(request, "programs/list.html", context)


def _best(program: Program, preset: str) -> Any:
    """Return the rating that a line shows: by the rules that were asked for, else the most played one."""
    rows = [row for row in ratings_of(program) if not preset or row.pool.preset == preset]
    return rows[0] if rows else None


@require_safe
def program_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a program: what it plays, how strong it is among programs, and the form to play against it."""
    program = _known(slug)
    return _shown(request, program, PlayForm(program=program))


@posted_from("program", "slug")
@never_cache
def program_play(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a table, ask the program to it, and go there."""
    program = _known(slug)
    form = PlayForm(request.POST, program=program)
    if not form.is_valid():
        return _shown(request, program, form, status=422)
    try:
        count_seat(request)
        sitter: Sitter = sitter_who_sits(request)
        table = challenge(sitter, [program], form.plan(), nonce_of(values_of(request)))
    except DomainError as refused:
        blame(form, refused)
        return with_wait(_shown(request, program, form, status=status_of(refused)), refused)
    return redirect("live-table", table.uuid)


def _known(slug: str) -> Program:
    found = program_of(slug)
    if found is None:
        raise Http404(slug)
    return found


def _shown(request: HttpRequest, program: Program, form: PlayForm, *, status: int = 200) -> HttpResponse:
    person = viewer(request)
    is_owner = person is not None and person.pk == program.bot.owner_id
    context = {
        "program": program,
        "bot": program.bot,
        "is_here": is_here(program),
        "is_retired": is_retired(program),
        "is_owner": is_owner,
        "may_play": can_be_played(program) and (is_owner or program.takes == Program.Takes.ANYBODY),
        "clocks": [CLOCK_NAMES[clock] for clock in program.clocks],
        "ratings": ratings_of(program),
        "form": form,
        "guest_name": request.session.get("table_name", ""),
    }
    return render_page(request, "programs/program.html", context, status=status)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_programs(request: HttpRequest) -> HttpResponse:
    """Show one's programs, and the form that registers another one."""
    owner = signed_in(request)
    form = ProgramForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = register(by=owner, name=form.cleaned_data["name"], plan=form.plan())
        except DomainError as refusal:
            blame(form, refusal, beside={"bot.name_taken": "name", "bot.name_invalid": "name"})
        else:
            messages.success(request, _("%(program)s is registered.") % {"program": made.bot.name})
            return redirect("own-program", made.bot.slug)
    rows = programs_listed().filter(bot__owner=owner)
    context = {"form": form, "lines": [(each, is_here(each), is_retired(each)) for each in rows]}
    return render_page(request, "programs/mine.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_program(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one's program with what it states. POST changes it."""
    owner = signed_in(request)
    program = _own(request, slug)
    form = ProgramForm(request.POST if request.method == "POST" else None, initial=filled(program))
    if form.is_valid():
        try:
            change(program=program, by=owner, plan=form.plan(), name=form.cleaned_data["name"])
        except DomainError as refusal:
            blame(form, refusal, beside={"bot.name_taken": "name", "bot.name_invalid": "name"})
        else:
            messages.success(request, _("Saved."))
            return redirect("own-program", slug)
    context = {"program": program, "form": form, "is_retired": is_retired(program), "is_here": is_here(program)}
    return render_page(request, "programs/own.html", context, status=422 if form.is_bound else 200)


@posted_from("own-program", "slug")
@login_required
@never_cache
def own_program_retire(request: HttpRequest, slug: str) -> HttpResponse:
    """Retire one's program for good."""
    program = _own(request, slug)
    try:
        retire_program(program=program, by=signed_in(request))
    except DomainError as refusal:
        show_refusal(request, refusal)
    else:
        messages.success(request, _("%(program)s is retired.") % {"program": program.bot.name})
    return redirect("own-program", slug)


def _own(request: HttpRequest, slug: str) -> Program:
    # Among one's own: somebody else's program is a 404.
    found = program_of(slug)
    if found is None or found.bot.owner_id != signed_in(request).pk:
        raise Http404(slug)
    return found
