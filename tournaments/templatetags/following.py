"""Follows of the reader, for pages that are about something else."""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from tournaments.models import Tournament
from tournaments.notifications import followed

MAX_SHOWN: Final = 99
register = template.Library()


@register.filter
def as_badge(count: int) -> str:
    """Return a number of unread notices as it stands in the head of a page."""
    return f"{MAX_SHOWN}+" if count > MAX_SHOWN else str(count)


@register.inclusion_tag("pages/_follow.html", takes_context=True)
def follow_button(context: dict[str, Any], kind: str, what: object) -> dict[str, Any]:
    """Return the context of the button that follows a thing, or stops to; no button for oneself.

    One query if signed in.
    """
    request = context["request"]
    user: User | AnonymousUser = request.user
    shown = {"user": user, "kind": kind, "what": what, "next": request.get_full_path(), "request": request}
    if isinstance(user, User):
        is_self = kind == "person" and what == user.username
        shown |= {"is_self": is_self, "following": not is_self and followed.is_following(user, kind, str(what))}
    # An inclusion tag sees nothing of the page's context but what is handed on.
    return {**shown, "csrf_token": context.get("csrf_token")}


@register.simple_tag
def followed_players(user: User | AnonymousUser, event: Tournament) -> set[int]:
    """Return the people of an event that the reader follows (ids of players). One query if signed in."""
    return followed.players_followed(user, event) if isinstance(user, User) else set()
