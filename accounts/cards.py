"""How cards look to a reader: as the account says, else as this browser last chose, else classic."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse

from accounts.models import User

COOKIE: Final = "cards"
YEAR_SECONDS: Final = 365 * 24 * 3600


def cards_of(request: HttpRequest) -> str:
    """The theme of the card pictures for who reads: the name of a sprite in static/cards/."""
    kept = getattr(request.user, "cards", "") or request.COOKIES.get(COOKIE, "")
    return kept if kept in User.Cards.values else User.Cards.CLASSIC.value


def remember(response: HttpResponse, theme: str, *, secure: bool) -> None:
    """Keep a visitor's choice in the browser; it says nothing about who that is."""
    response.set_cookie(COOKIE, theme, max_age=YEAR_SECONDS, samesite="Lax", httponly=True, secure=secure)
