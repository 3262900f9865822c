"""Contents of a mail: written when it is sent, of what its reader may see then, in their language and zone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils import translation

from accounts.letters import language_of, letter, zone_of
from accounts.models import User
from tournaments.models import Mailing, Notice, NoticePlan
from tournaments.notifications.lines import is_withdrawn, lines_of, with_all
from tournaments.notifications.plans_query import how_of
from tournaments.notifications.seen import seen_by

MAX_LINES: Final = 50


def _signer() -> Signer:
    """Make the signer when it is needed: a worker loads this module, and has no key (decision 0095)."""
    return Signer(salt="hanami.unsubscribe", sep=".")


def unsubscribe_token(user: User, kind: str) -> str:
    """Return the token of the link by which somebody ends mails. It is good for ever, as mails are kept.

    kind: the kind of news of the mail, "" of a digest.
    """
    return _signer().sign(f"{user.uuid.hex}-{kind}")


def read_token(token: str) -> tuple[User, str] | None:
    """Return the account of a link, and its kind; None for one that was never given, and for a deleted account."""
    try:
        uuid, _, kind = _signer().unsign(token).partition("-")
        user = User.objects.filter(uuid=UUID(hex=uuid), deleted_at=None).first()
    except (BadSignature, ValueError):
        return None
    # A kind that a later version has dropped: the link still ends something, all mails.
    return (user, kind if kind in Notice.Kind.values else "") if user is not None else None


def letter_of(mailing: Mailing) -> EmailMultiAlternatives | None:
    """Write the mail as it is to be sent now; None if nobody wants it, or nothing of it may be told, any more."""
    reader = mailing.reader
    if not reader.is_active or not reader.mail_address:
        return None
    plan = NoticePlan.objects.filter(user=reader).first() or NoticePlan(user=reader)
    rows = _notices(mailing, reader, plan)
    if not rows:
        return None
    language, zone = language_of(reader, plan.language), zone_of(reader, plan.time_zone)
    kind = "" if mailing.is_digest else rows[0].kind
    with translation.override(language):
        lines = lines_of(rows[:MAX_LINES])
    context = {
        "lines": lines,
        "more": len(rows) - len(lines),
        "reader": reader,
        "kind": "" if mailing.is_digest else Notice.Kind(kind).label,
        "stop": _address("unsubscribe", unsubscribe_token(reader, kind)),
    }
    template = "notices/digest" if mailing.is_digest else "notices/instant"
    headers = _headers(mailing, context["stop"])
    return letter(template, context, to=reader.mail_address, language=language, zone=zone, headers=headers)


def _notices(mailing: Mailing, reader: User, plan: NoticePlan) -> Sequence[Notice]:
    """Return its notices: of what was chosen, what its reader may still see and has not read on the page meanwhile."""
    wanted = Notice.How.DIGEST if mailing.is_digest else Notice.How.INSTANT
    rows = with_all(mailing.notices.filter(seen_by(reader), read_at=None)).order_by("id")
    return [row for row in rows if how_of(plan.choices, row.kind) == wanted and not is_withdrawn(row)]


def _address(name: str, *args: str) -> str:
    return settings.SITE_URL + reverse(name, args=args)


def _headers(mailing: Mailing, stop: object) -> dict[str, str]:
    """Return the headers.

    One Message-ID for all attempts, one-click unsubscribe (RFC 2369, 8058), no automatic answers.
    """
    host = settings.SITE_URL.partition("://")[2].partition(":")[0]
    return {
        "Message-ID": f"<{mailing.uuid}@{host}>",
        "List-Id": f"Hanami <notices.{host}>",
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
