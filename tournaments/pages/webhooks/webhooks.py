"""Pages of webhooks: who has what sent where, what became of each delivery, and their secrets, each shown once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.blaming import blame
from accounts.models import User
from core.errors import TournamentError
from tournaments.models import Delivery, Hook
from tournaments.pages.webhooks.forms import HookForm, RotateForm, filled
from tournaments.webhooks import actions as services
from tournaments.webhooks.event_types import PING, webhook_kinds
from tournaments.webhooks.queries import deliveries_of, hook_of, hooks_of
from web.page import render_page, show_refusal, signed_in
from web.paging import page_of
from web.statuses import status_of

ERRORS: Final = {
    "address.refused": gettext_lazy("Its name does not lead to a host on the public internet."),
    "connection.failed": gettext_lazy("Nobody answered at the address."),
    "tls.failed": gettext_lazy("We could not trust its certificate."),
    "time.over": gettext_lazy("It did not answer within ten seconds."),
    "answer.broken": gettext_lazy("It did not answer with HTTP."),
    "answer.redirect": gettext_lazy("It redirects to another address; enter that address."),
    "answer.refused": gettext_lazy("It rejected the request."),
    "right.lost": gettext_lazy("You no longer have access to this."),
    "hook.off": gettext_lazy("The webhook was switched off."),
    "secret.gone": gettext_lazy("There was no secret to sign the request with."),
    "server.error": gettext_lazy("Something went wrong on our side; we will try again."),
}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hooks_page(request: HttpRequest) -> HttpResponse:
    """Show one's webhooks, and the form of a new one; only its answer shows the secret."""
    owner = signed_in(request)
    form = HookForm(request.POST if request.method == "POST" else None, owner=owner, initial={"watch": "mine"})
    secret = _made(form, owner) if form.is_valid() else ""
    if secret:
        form = HookForm(owner=owner, initial={"watch": "mine"})
    # No redirect after the POST: the secret stands on this answer alone.
    context = {"form": form, "secret": secret, "hooks": list(hooks_of(owner))}
    return render_page(request, "hooks/list.html", context, status=422 if form.is_bound else 200)


def _made(form: HookForm, owner: User) -> str:
    """Return the secret of the new webhook; "" with the refusal on the form."""
    try:
        _hook, secret = services.make_hook(user=owner, plan=form.plan())
    except TournamentError as refusal:
        blame(form, refusal)
        return ""
    return secret


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hook_page(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show one webhook: what it is sent, its secrets, its deliveries, page by page and filtered. POST changes it."""
    hook = _own(request, uuid)
    form = HookForm(request.POST if request.method == "POST" else None, owner=signed_in(request), initial=filled(hook))
    if form.is_valid():
        try:
            services.change_hook(hook=hook, by=hook.user, plan=form.plan())
        except TournamentError as refusal:
            blame(form, refusal)
        else:
            messages.success(request, _("The webhook is changed."))
            return redirect("hook", uuid)
    return _shown(request, hook, form=form, status=422 if form.is_bound else 200)


def _own(request: HttpRequest, uuid: UUID) -> Hook:
    # Among one's own: somebody else's webhook is a 404.
    found = hook_of(signed_in(request), uuid)
    if found is None:
        raise Http404(str(uuid))
    return found


def _shown(request: HttpRequest, hook: Hook, *, form: HookForm | None = None, **more: Any) -> HttpResponse:
    """Return the page. more: secret, rotate (the form of a renewal), status."""
    state, kind = request.GET.get("state", ""), request.GET.get("kind", "")
    page = page_of(request, deliveries_of(hook, state=state, kind=kind if kind in (*webhook_kinds(), PING) else ""))
    context = {
        "hook": hook,
        "form": form or HookForm(owner=signed_in(request), initial=filled(hook)),
        "rotate": RotateForm(),
        "secret": "",
        "secrets": hook.secrets.order_by("-pk"),
        "page": page,
        "lines": [(row, ERRORS.get(row.error, row.error)) for row in page.rows],
        "kinds": (*webhook_kinds(), PING),
        "kind": kind,
        "states": Delivery.State.choices,
        "state": state,
        **more,
    }
    return render_page(request, "hooks/hook.html", context, status=more.get("status", 200))


@require_POST
@login_required
@never_cache
def hook_do(request: HttpRequest, uuid: UUID, verb: str) -> HttpResponse:
    """Do what the buttons of the page ask for."""
    hook = _own(request, uuid)
    if verb not in ACTS:
        raise Http404(verb)
    try:
        return ACTS[verb](request, hook)
    except TournamentError as refusal:
        show_refusal(request, refusal)
        # The page itself, not a redirect: the refusal's status reaches programs, too.
        return _shown(request, hook, status=status_of(refusal))


def _test(request: HttpRequest, hook: Hook) -> HttpResponse:
    services.send_test(hook=hook, by=hook.user)
    messages.success(request, _("We are sending a test. Reload the page in a moment to see the result."))
    return redirect("hook", hook.uuid)


def _switch(*, on: bool) -> Callable[[HttpRequest, Hook], HttpResponse]:
    def act(request: HttpRequest, hook: Hook) -> HttpResponse:
        services.switch_hook(hook=hook, by=hook.user, on=on)
        messages.success(
            request, _("The webhook is on.") if on else _("The webhook is off: we send and keep nothing for it.")
        )
        return redirect("hook", hook.uuid)

    return act


def _rotate(request: HttpRequest, hook: Hook) -> HttpResponse:
    form = RotateForm(request.POST)
    if not form.is_valid():
        return _shown(request, hook, rotate=form, status=422)
    secret = services.rotate_secret(hook=hook, by=hook.user, keep_hours=form.cleaned_data["keep_hours"])
    # Read again, with its new secret; no redirect: the secret stands on this answer alone.
    return _shown(request, _own(request, hook.uuid), secret=secret)


def _end_old(request: HttpRequest, hook: Hook) -> HttpResponse:
    services.end_old_secret(hook=hook, by=hook.user)
    messages.success(request, _("From now on only the newest secret signs."))
    return redirect("hook", hook.uuid)


def _again(request: HttpRequest, hook: Hook) -> HttpResponse:
    named = request.POST.get("delivery", "")
    rows = deliveries_of(hook).select_related("hook")
    # Not a uuid would be an error of the database.
    found = next((row for row in rows.filter(uuid=named)), None) if _is_uuid(named) else None
    if found is None:
        raise Http404(named)
    services.send_again(delivery=found, by=hook.user)
    messages.success(request, _("We are sending it again, with the same id."))
    return redirect("hook", hook.uuid)


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _delete(request: HttpRequest, hook: Hook) -> HttpResponse:
    services.delete_hook(hook=hook, by=hook.user)
    messages.success(request, _("“%(name)s” is deleted: we send nothing to it any more.") % {"name": hook.name})
    return redirect("hooks")


ACTS: Final[dict[str, Callable[[HttpRequest, Hook], HttpResponse]]] = {
    "test": _test,
    "on": _switch(on=True),
    "off": _switch(on=False),
    "rotate": _rotate,
    "end-old": _end_old,
    "resend": _again,
    "delete": _delete,
}
