"""Pages on which people register for an event, and the page of one's own registration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.blaming import blame
from accounts.letters import mail_folder
from core.errors import TournamentError
from tournaments.entries.links import link_for
from tournaments.lifecycle.visibility import EventPage, visible_to
from tournaments.models import Registration, Tournament
from tournaments.pages.entries.guest_access import grant_link
from tournaments.pages.events.event import load, render_event
from tournaments.pages.registration.forms import LinkForm, RegisterForm, beside
from tournaments.pages.registration.team import TEAM_ACTS, sender_of, team_context
from tournaments.registration.answers import answers_of
from tournaments.registration.letters import path_of, read_token
from tournaments.registration.own import (
    edit_registration,
    may_edit,
    may_return,
    may_withdraw,
    renew_link,
    return_to,
    withdraw_registration,
)
from tournaments.registration.purge import RETENTION
from tournaments.registration.queries import own_registration
from tournaments.registration.register import Details, confirm, register, send_link
from tournaments.registration.set_up import has_opened, questions_of, require_open, settings_of
from tournaments.registration.status import Status, standing_of
from web.page import render_page, show_refusal, signed_in, viewer
from web.refusals import status_of, with_wait

S = Registration.State
FORM: Final = ("GET", "HEAD", "POST")


def _open(request: HttpRequest, slug: str) -> EventPage:
    """Return the event of people, or 404."""
    page = load(request, slug)
    if not page.event.is_of_people:
        raise Http404(slug)
    return page


@never_cache
@require_http_methods(FORM)
def register_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form and register; who is registered by account goes to their own page. Organisers see a preview."""
    page, person = _open(request, slug), viewer(request)
    event, chosen = page.event, settings_of(page.event)
    own = own_registration(event, person) if person is not None else None
    if own is not None and own.state != S.UNCONFIRMED:
        return redirect("registration-mine", slug)
    if not chosen.is_on and not page.is_organiser:
        raise Http404(slug)
    form = RegisterForm(
        request.POST or None,
        questions=questions_of(event),
        has_address=person is None,
        consent=chosen.consent,
        name=person.display_name if person is not None else "",
        asks_year=bool(event.age_gap),
    )
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                register(tournament=event, person=person, details=form.details(), sender=sender_of(request))
                return redirect("registration-sent" if person is None else "registration-mine", slug)
            except TournamentError as refusal:
                blame(form, refusal, beside=beside(refusal))
                status = status_of(refusal)
    context = {
        "form": form,
        "chosen": chosen,
        "is_preview": page.is_organiser and not has_opened(chosen, event),
        "closed": _closed(page),
        "person": person,
        "full": page.entered >= event.max_entries,
        "days": RETENTION.days,
    }
    answer = render_event(request, page, "register", context, template="registration/register.html")
    answer.status_code = status
    return answer


def _closed(page: EventPage) -> str:
    """Return why nobody can register now, "" if people can."""
    try:
        require_open(settings_of(page.event), page.event)
    except TournamentError as refusal:
        return str(refusal)
    return ""


@never_cache
@require_safe
def sent_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what to do next: open the link in the mail."""
    page = _open(request, slug)
    context = {"folder": mail_folder()}
    return render_event(request, page, "register", context, template="registration/sent.html")


@never_cache
@require_http_methods(FORM)
def link_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Send somebody the link of their registration once more. The answer says nothing about who is registered."""
    page = _open(request, slug)
    form = LinkForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if request.method == "POST" and form.is_valid():
        try:
            send_link(tournament=page.event, address=form.cleaned_data["email"], sender=sender_of(request))
            return redirect("registration-sent", slug)
        except TournamentError as refusal:
            blame(form, refusal, beside=beside(refusal))
            status = status_of(refusal)
    answer = render_event(request, page, "register", {"form": form}, template="registration/link.html")
    answer.status_code = status
    return answer


@never_cache
@login_required
@require_http_methods(FORM)
def mine_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a signed-in person their own registration, and do what they ask for."""
    event = Tournament.objects.filter(slug=slug).first()
    own = own_registration(event, signed_in(request)) if event is not None else None
    if own is None:
        _open(request, slug)  # 404 for who may not know of the event
        return redirect("tournament-register", slug)
    return _own_page(request, own)


@never_cache
@require_http_methods(FORM)
def own_page(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show the registration of a link to its holder, and do what they ask for. Opening it alone confirms nothing:
    programs that preview mails open links, too.
    """
    try:
        own = read_token(token)
    except TournamentError as refusal:
        return _silent(_gone(request, slug, refusal))
    if own.tournament.slug != slug:
        raise Http404(slug)
    return _silent(_own_page(request, own))


def _gone(request: HttpRequest, slug: str, refusal: TournamentError) -> HttpResponse:
    context = {"refusal": refusal, "refusal_here": True, "slug": slug}
    return with_wait(render_page(request, "registration/gone.html", context, status=404), refusal)


def _silent(response: HttpResponse) -> HttpResponse:
    """Keep the address of this answer, which is a key, out of every Referer, cache and search engine."""
    # The form needs an Origin, which "no-referrer" would leave out.
    response["Referrer-Policy"] = "strict-origin"
    response["X-Robots-Tag"] = "noindex"
    response["Cache-Control"] = "no-store"
    return response


def _confirm(request: HttpRequest, own: Registration) -> None:
    confirm(own)


def _withdraw(request: HttpRequest, own: Registration) -> None:
    withdraw_registration(registration=own)


def _return(request: HttpRequest, own: Registration) -> None:
    return_to(registration=own)


ACTS: Final[dict[str, Callable[[HttpRequest, Registration], None]]] = {
    "confirm": _confirm,
    "withdraw": _withdraw,
    "return": _return,
}


def _own_page(request: HttpRequest, own: Registration) -> HttpResponse:
    verb = request.POST.get("act", "")
    if request.method == "POST" and verb not in (*ACTS, *TEAM_ACTS, "edit", "day", "renew"):
        raise Http404(verb)
    form, status = None, 200
    if may_edit(own):
        sent = request.POST if verb == "edit" else None
        form = RegisterForm(
            sent,
            questions=questions_of(own.tournament),
            has_address=False,
            registration=own,
            answers=answers_of(own),
            asks_year=bool(own.tournament.age_gap),
        )
    if request.method == "POST":
        done, status = _do(request, own, verb, form)
        if done is not None:
            return done
    return _shown(request, own, form, status)


def _do(
    request: HttpRequest, own: Registration, verb: str, form: RegisterForm | None
) -> tuple[HttpResponse | None, int]:
    """Do what was asked for; return where to go, or None and the status of the page that says what is wrong."""
    try:
        if verb == "day":
            return _to_day(request, own), 200
        if verb == "renew":
            return _renewed(request, own), 200
        if verb == "edit":
            if form is not None and not form.is_valid():
                return None, 422
            edit_registration(registration=own, details=_details(form))
            messages.success(request, _("Saved."))
        else:
            (ACTS | TEAM_ACTS)[verb](request, own)
    except TournamentError as refusal:
        if form is None or not form.is_bound:
            show_refusal(request, refusal)
            return redirect(request.path), 303
        blame(form, refusal, beside=beside(refusal))
        return None, status_of(refusal)
    return redirect(request.path), 303


def _renewed(request: HttpRequest, own: Registration) -> HttpResponse:
    """Renew the link and go on by the new one, or stay on the page of an account."""
    row = renew_link(registration=own)
    messages.success(
        request, _("This is your new link, which we also mail to you. The old one opens nothing any more.")
    )
    # By account the address of the page is no key, and stays.
    return redirect(path_of(row) if "token" in getattr(request.resolver_match, "kwargs", {}) else request.path)


def _details(form: RegisterForm | None) -> Details:
    if form is None:
        message = _("Registration is closed, so you cannot change this any more. Ask the organiser.")
        raise TournamentError(message, code="registration.closed")
    return form.details()


def _to_day(request: HttpRequest, own: Registration) -> HttpResponse:
    """Open the player page of who has a place: the registration says who they are."""
    if own.entry is None:
        raise Http404("entry")
    grant_link(request, link_for(entry=own.entry))
    return redirect("my-day", own.entry.uuid)


def _shown(request: HttpRequest, own: Registration, form: RegisterForm | None, status: int) -> HttpResponse:
    event, chosen, standing = own.tournament, settings_of(own.tournament), standing_of(own)
    is_visible = Tournament.objects.filter(visible_to(viewer(request)), pk=event.pk).exists()
    context = {
        "own": own,
        "event": event,
        "chosen": chosen,
        "standing": standing,
        "is_new": standing.status is Status.UNCONFIRMED,
        "form": form,
        "is_open": has_opened(chosen, event),
        "may_withdraw": may_withdraw(own),
        "may_return": may_return(own),
        "has_day": standing.status is Status.ENTERED and own.entry is not None,
        "pays": bool(chosen.payment_url) and standing.status in (Status.ENTERED, Status.PENDING, Status.WAITING),
        "is_visible": is_visible,
        "days": RETENTION.days,
        **team_context(request, own),
    }
    return render_page(request, "registration/own.html", context, status=status, zone=event.time_zone)
