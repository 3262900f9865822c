"""Answers of pages: whole, or as the fragment of the same address that lists.js and live.js ask for."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language

from accounts.cards import backs_of, cards_of
from accounts.models import User
from accounts.zones import zone_named
from engine.errors import DomainError


def viewer(request: HttpRequest) -> User | None:
    """Return the signed-in person who looks at the page; None for a stranger."""
    return request.user if isinstance(request.user, User) else None


def signed_in(request: HttpRequest) -> User:
    """Return the signed-in person of a view that only signed-in people reach."""
    person = viewer(request)
    if person is None:
        raise TypeError("the view is for signed-in people only")
    return person


def is_fragment(request: HttpRequest) -> bool:
    """Return whether only the content is asked for, not the frame around it."""
    return request.headers.get("X-Fragment") == "true"


def render_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
    version: str = "",
    zone: str = "",
) -> HttpResponse:
    """Return the page or its fragment, varying on who asks and how.

    zone: of the event that the page is about, whose times are shown in it; "" for the reader's own.

    version: what the fragment's content depends on besides the reader, the language and the address; a fragment with
    a version has an ETag, and one that the reader has already is answered with 304 and not rendered.
    """
    if zone:
        with timezone.override(zone_named(zone) or UTC):
            return render_page(request, template, context, status=status, version=version)
    # Only fragments: the frame around a page holds the CSRF token and messages that are shown once.
    etag = fragment_etag(request, version) if version and is_fragment(request) else ""
    response = get_conditional_response(request, etag) if etag else None
    if response is None:
        layout = "fragment.html" if is_fragment(request) else "base.html"
        response = render(request, template, {**context, "layout": layout}, status=status)
    if etag:
        response["ETag"] = etag
    # Pages name their reader, so no shared cache keeps them; the browser asks each time, and an ETag answers cheaply.
    response["Cache-Control"] = "private, no-cache"
    # Without it the Back button would show the fragment that a script fetched from this address, without its frame.
    patch_vary_headers(response, ["X-Fragment"])
    return response


def fragment_etag(request: HttpRequest, version: str) -> str:
    """Return the ETag of a fragment: of its version, its reader, their language, zone, card pictures and backs, and its
    address.
    """
    reader = getattr(request.user, "pk", None)
    zone = str(timezone.get_current_timezone())
    parts = [str(get_language()), zone, cards_of(request), backs_of(request), str(reader), version]
    content = "\n".join([request.get_full_path(), *parts])
    # Keyed, so that nobody can work out reader or version from an ETag by guessing.
    return f'"{salted_hmac("hanami.fragment", content).hexdigest()[:24]}"'


def show_refusal(request: HttpRequest, refusal: DomainError) -> None:
    """Put a refusal on the next page: what is wrong, what to do, its stable code."""
    messages.error(request, str(refusal), extra_tags=refusal.code)
