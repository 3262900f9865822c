"""Mails as people read them: a subject, a text and the same as HTML, in the reader's language and zone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.directions import isolated_html, isolated_text
from accounts.models import User
from accounts.zones import zone_named
from core.printable import without_hidden

MAX_SUBJECT: Final = 120
AUTOMATIC: Final = {"Auto-Submitted": "auto-generated"}
"""The header of mails that no person wrote: nobody's absence note answers them."""
IN_A_FOLDER: Final = "django.core.mail.backends.filebased.EmailBackend"


def letter(
    template: str,
    context: Mapping[str, Any],
    *,
    to: str,
    language: str = "",
    zone: str = "",
    headers: Mapping[str, str] | None = None,
) -> EmailMultiAlternatives:
    """Return a mail that is ready to be sent, from `<template>.subject.txt`, `<template>.txt` and `<template>.html`.

    language, zone: of the reader; "": the service's own, UTC. The templates see `site`, the address links begin with.
    """
    # The worker that writes the mail has a language and a zone of its own, not the reader's.
    with translation.override(language or settings.LANGUAGE_CODE), timezone.override(zone_named(zone) or UTC):
        shown = {**context, "site": settings.SITE_URL}
        subject, text, html = (render_to_string(f"{template}.{part}", shown) for part in ("subject.txt", "txt", "html"))
    title, body = isolated_text(_one_line(subject)), isolated_text(text.strip() + "\n")
    mail = EmailMultiAlternatives(title, body, to=[to], headers=dict(headers or {}))
    mail.attach_alternative(isolated_html(html), "text/html")
    return mail


def _one_line(text: str) -> str:
    """Return a subject: one line of printable letters, no matter what the name of an event holds."""
    # A line feed in a subject would begin another header; Django refuses such a mail as a whole.
    line = without_hidden(" ".join(text.split()))
    return line if len(line) <= MAX_SUBJECT else line[: MAX_SUBJECT - 1] + "…"


def language_of(user: User, fallback: str = "") -> str:
    """Return the language of mails to a person: their account's, else `fallback`, else the service's own."""
    return user.language or fallback or settings.LANGUAGE_CODE


def zone_of(user: User, fallback: str = "") -> str:
    """Return the time zone of mails to a person: their account's, else `fallback`, else UTC."""
    return user.time_zone or fallback or "UTC"


def mail_folder() -> str:
    """Return the folder that mails are written into where no mail server is named; "" where they are really sent.

    As seen from the project, or its own name alone: strangers read it, and where it lies is no business of theirs.
    """
    if settings.EMAIL_BACKEND != IN_A_FOLDER:
        return ""
    folder = getattr(settings, "EMAIL_FILE_PATH", settings.DATA_DIR / "mail")
    return str(folder.relative_to(settings.BASE_DIR)) if folder.is_relative_to(settings.BASE_DIR) else folder.name
