"""Pages of a person's own data: what the account holds, a copy of it, signing out everywhere, deleting it all."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.blaming import blame
from accounts.services import sign_out_everywhere
from accounts.sessions import end_session, places_of, renew_session
from accounts.views import refusal_of_owner
from core.errors import TournamentError
from tournaments.pages.people.leave_form import LeavingForm
from tournaments.people.account_data import obstacles
from tournaments.people.leave import delete_account
from tournaments.people.own_data import file_name, own_data
from web.one_at_a_time import FILES
from web.page import render_page, signed_in
from web.refusals import refused


@login_required
@never_cache
@require_safe
def data_page(request: HttpRequest) -> HttpResponse:
    """Show what may be done with what the account holds."""
    places = places_of(signed_in(request), request.session.session_key)
    return render_page(request, "accounts/data.html", {"places": places})


@login_required
@require_POST
def data_copy(request: HttpRequest) -> HttpResponse:
    """Send the copy, as a file."""
    person = signed_in(request)
    try:
        # A copy may take a hundred megabytes while it is made: one at a time (decision 0085).
        with FILES.turn("copy.busy"):
            content = own_data(user=person)
    except TournamentError as refusal:
        return refused(request, refusal, back=reverse("own-data"))
    response = HttpResponse(content, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{file_name(person)}"'
    # Everything about a person: not in the cache of a computer that others use.
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End every other session; this one goes on."""
    renew_session(request, sign_out_everywhere(user=signed_in(request)))
    messages.success(request, _("Every other device is signed out."))
    return redirect("own-data")


@login_required
@require_POST
def session_end(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """End one session of one's own; somebody else's is not there."""
    if not end_session(user=signed_in(request), uuid=uuid):
        raise Http404(str(uuid))
    messages.success(request, _("That device is signed out."))
    return redirect("own-data")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete_page(request: HttpRequest) -> HttpResponse:
    """Show what is in the way, or what goes and what stays, and the form that asks for the password."""
    person = signed_in(request)
    # Before the password is checked: checking it is what is limited.
    too_often = refusal_of_owner(request, person)
    if too_often is not None:
        return too_often
    form = LeavingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            delete_account(user=person, password=form.cleaned_data["password"])
        except TournamentError as refusal:
            blame(form, refusal, beside={"account.wrong_password": "password"})
        else:
            # After the deletion: a refusal must not log anybody out.
            logout(request)
            messages.success(request, _("Your account is deleted. Thank you for having played."))
            return redirect("home")
    context = {"form": form, "obstacles": obstacles(person)}
    return render_page(request, "accounts/delete.html", context, status=422 if form.is_bound else 200)
