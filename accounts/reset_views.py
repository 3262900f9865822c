"""Views of a forgotten password: asking for a link, and the page that it opens. Without script."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms import ResetForm
from accounts.letters import mail_folder
from accounts.models import User
from accounts.password_forms import ends_tokens, offer_to_end_tokens
from accounts.resetting import ask_for_reset, good_for, set_password
from accounts.views import refusal_of
from accounts.zones import COOKIE, zone_named


@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest) -> HttpResponse:
    """Ask for a link. The answer does not tell whether an account has the address."""
    refused = refusal_of(request, "reset")
    if refused is not None:
        return refused
    form = ResetForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        address, zone = form.cleaned_data["address"], request.COOKIES.get(COOKIE, "")
        # Counted by the address written to: many networks must not flood one mailbox.
        refused = refusal_of(request, "reset_to", address=address.lower())
        if refused is not None:
            return refused
        ask_for_reset(address=address, language=get_language() or "", zone=zone if zone_named(zone) else "")
        return redirect("reset-sent")
    return _page(request, "accounts/reset.html", {"form": form}, status=422 if form.is_bound else 200)


@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    """Show what to do next; the page is the same for every address."""
    hours = round(good_for().total_seconds() / 3600)
    return _page(request, "accounts/reset_sent.html", {"folder": mail_folder(), "hours": hours})


def _page(request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Return the page, or its fragment."""
    layout = "fragment.html" if request.headers.get("X-Fragment") == "true" else "base.html"
    response = render(request, template, {**context, "layout": layout}, status=status)
    patch_vary_headers(response, ["X-Fragment"])
    return response


class ResetConfirm(PasswordResetConfirmView):
    """The page of a link. The key leaves the address at once; a spent one says what to do."""

    template_name = "accounts/reset_confirm.html"
    success_url = reverse_lazy("login")

    def get_form(self, form_class: Any = None) -> SetPasswordForm[User]:
        """Return the form, with a box for tokens where there are some."""
        form: SetPasswordForm[User] = super().get_form(form_class)
        if self.validlink:
            offer_to_end_tokens(form, form.user)
        return form

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        """Store the new password; every session of the account ends, and the link with it."""
        password = form.cleaned_data["new_password1"]
        changed = set_password(user=form.user, password=password, end_tokens=ends_tokens(form))
        # Django keeps the key here between the link and the form; it must not open the form again.
        self.request.session.pop("_password_reset_token", None)
        done = _("%(name)s has a new password. Log in with it, also on every other device.")
        messages.success(self.request, done % {"name": changed.username})
        if ends_tokens(form):
            messages.success(self.request, _("Your tokens no longer work. Make new ones for the programs you trust."))
        return HttpResponseRedirect(str(self.success_url))

    def form_invalid(self, form: SetPasswordForm[User]) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """Answer a dead link with 410, so that programs see it, too."""
        return super().render_to_response(context, **({"status": 410} if not self.validlink else {}) | kwargs)
