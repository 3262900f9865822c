"""Look of cards: as the account says, else as this browser last chose, else classic with red backs."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse

from accounts.models import User

COOKIE: Final = "cards"
BACKS_COOKIE: Final = "backs"
YEAR_SECONDS: Final = 365 * 24 * 3600
BACK_OF: Final[dict[str, str]] = {User.Backs.RED: "back", User.Backs.BLACK: "back-dark"}
"""Name of each back in the sprites of static/cards/."""


def cards_of(request: HttpRequest) -> str:
    """Return the theme of the card pictures for the reader: the name of a sprite in static/cards/."""
    chosen = getattr(request.user, "cards", "") or request.COOKIES.get(COOKIE, "")
    # A cookie is what anybody sends: it becomes part of a file's address only if it is one of ours.
    return chosen if chosen in User.Cards.values else User.Cards.CLASSIC.value


def backs_of(request: HttpRequest) -> str:
    """Return the backs of cards for the reader: one of `User.Backs`."""
    chosen = getattr(request.user, "backs", "") or request.COOKIES.get(BACKS_COOKIE, "")
    return chosen if chosen in BACK_OF else User.Backs.RED.value


def remember(response: HttpResponse, theme: str, backs: str, *, secure: bool) -> None:
    """Keep a visitor's choice in the browser; it says nothing about who they are. backs: "" leaves them as they are."""
    for name, value in ((COOKIE, theme), (BACKS_COOKIE, backs)):
        if value:
            response.set_cookie(name, value, max_age=YEAR_SECONDS, samesite="Lax", httponly=True, secure=secure)
