"""The page of the email address, and the page that a confirming link opens."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.addresses import ask_for_address, confirm_address, links_of, remove_address, waiting_for
from accounts.errors import AccountError, AccountGone, TooOften
from accounts.letters import mail_folder
from accounts.models import User
from accounts.password_forms import AddressForm
from accounts.signals import trying
from accounts.views import refusal_of_owner
from accounts.zones import COOKIE, zone_named


def _signed_in(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise TypeError("the view is for signed-in people only")
    return request.user


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def address(request: HttpRequest) -> HttpResponse:
    """Show the address that mail goes to, and ask for another one, with the password."""
    user = _signed_in(request)
    form = AddressForm(request.POST or None, owner=user, initial={"address": user.email_wanted})
    # Before the form is checked: checking a password is what is limited.
    too_often = refusal_of_owner(request, user)
    if too_often is not None:
        return too_often
    if request.method == "POST" and form.is_valid() and _ask(request, user, form):
        text = _("We are sending a link to %(address)s. Open it within a day.")
        messages.success(request, text % {"address": form.cleaned_data["address"]})
        return redirect("address")
    return _page(request, user, form)


def _page(request: HttpRequest, user: User, form: AddressForm) -> HttpResponse:
    context = {"form": form, "person": user, "folder": mail_folder(), "link": links_of(user).first()}
    return render(request, "accounts/address.html", context, status=422 if form.is_bound else 200)


def _ask(request: HttpRequest, user: User, form: AddressForm) -> bool:
    """Ask for the address; a refusal is put on the form. Returns whether it was asked for."""
    wanted, zone = form.cleaned_data["address"], request.COOKIES.get(COOKIE, "")
    try:
        trying.send(User, what="address", address=str(request.META.get("REMOTE_ADDR", "")))
        # Counted by the address written to as well: many accounts must not flood one mailbox.
        trying.send(User, what="address_to", address=wanted.lower())
        ask_for_address(user=user, address=wanted, zone=zone if zone_named(zone) else "")
    except TooOften as refused:
        minutes = max(1, -(-refused.retry_after // 60))
        form.refuse(_("You asked for too many links. Try again in %(n)s min.") % {"n": minutes}, refused.code)
    # Not the form's business: `accounts.middleware.ClosedAccounts` logs the person out.
    except AccountGone:
        raise
    except AccountError as refused:
        form.refuse(str(refused), refused.code)
    return not form.errors


@login_required
@require_POST
def address_remove(request: HttpRequest) -> HttpResponse:
    """Stop all mail. The password is asked for: the address is what brings a lost account back."""
    user = _signed_in(request)
    too_often = refusal_of_owner(request, user)
    if too_often is not None:
        return too_often
    form = AddressForm(request.POST, owner=user, wants_address=False)
    if not form.is_valid():
        return _page(request, user, form)
    remove_address(user=user)
    messages.success(request, _("We no longer send you mail."))
    return redirect("address")


@require_http_methods(["GET", "HEAD", "POST"])
def address_confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm an address by the link of a mail, signed in or not. Programs that preview links only look: the button
    confirms.
    """
    status, context = 200, {}
    try:
        if request.method == "POST":
            context = {"person": confirm_address(token), "done": True}
        else:
            context = {"person": waiting_for(token), "done": False}
    except AccountError as refusal:
        # Gone: the same for a used, an old and an invented link, so that none can be told from another by its status.
        status, context = 410, {"refusal": refusal, "refusal_here": True}
    response = render(request, "accounts/address_confirm.html", context, status=status)
    # The address of this page is a key: no cache keeps it.
    patch_cache_control(response, no_store=True)
    return response
