"""Page of tokens: keys with which programs do some of what their owner may. Each is shown once."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.blaming import blame
from accounts.errors import AccountError
from accounts.models import Token, User
from accounts.tokens import live, make_token, revoke_token
from tournaments.pages.people.token_form import TokenForm
from web.page import render_page, signed_in

FIELD_OF_CODE = {"token.no_name": "name", "token.no_scope": "scopes", "token.bad_scope": "scopes"}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens_page(request: HttpRequest) -> HttpResponse:
    """Show one's tokens with their last use, and the form of a new one; only its answer shows the key."""
    owner = signed_in(request)
    form = TokenForm(request.POST if request.method == "POST" else None, owner=owner)
    key = _made(form, owner) if form.is_valid() else ""
    if key:
        form = TokenForm(owner=owner)
    # No redirect after the POST: the key stands on this answer alone, and never_cache keeps it out of the Back button.
    context = {"form": form, "key": key, "tokens": live(owner)}
    return render_page(request, "accounts/tokens.html", context, status=422 if form.is_bound else 200)


def _made(form: TokenForm, owner: User) -> str:
    """Return the new key; "" with the refusal on the form."""
    chosen = form.cleaned_data
    try:
        _token, key = make_token(
            user=owner,
            name=chosen["name"],
            scopes=chosen["scopes"],
            expires_at=form.expires_at(),
            bound=form.bound_to(),
        )
    except AccountError as refusal:
        blame(form, refusal, beside=FIELD_OF_CODE)
        return ""
    return key


@require_POST
@login_required
def token_revoke(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """End a token at once. Somebody else's is a 404."""
    token = Token.objects.filter(uuid=uuid, user=signed_in(request)).first()
    if token is None:
        raise Http404(str(uuid))
    revoke_token(token=token)
    messages.success(request, _("“%(name)s” is revoked: it no longer gives access.") % {"name": token.name})
    return redirect("tokens")
