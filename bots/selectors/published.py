"""Published sources: which version's files everybody may read, where they came from, who went on from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from bots.licences import LICENCES, Licence
from bots.models import Bot, BotVersion, Fork, Publication
from bots.selectors.owned import Viewer, may_see_inside
from bots.uploads import unpack_files

FORKS: Final = 20
"""Forks that a page names."""


def public() -> QuerySet[Publication]:
    """Return the publications that hold now: neither taken back, nor of a version that is hidden."""
    return Publication.objects.filter(withdrawn_at=None, version__hidden_at=None)


def publication_of(version: BotVersion) -> Publication | None:
    """Return under what the source of a version is public now; None where it is not. No query if it was read along."""
    found: Publication | None = getattr(version, "publication", None)
    if found is None or found.withdrawn_at is not None or version.hidden_at is not None:
        return None
    return found


def may_read_source(version: BotVersion, viewer: Viewer) -> bool:
    """Return whether this person may read the files: the owner, and everybody once they are published.

    Logs and findings stay the owner's alone (decision 0022).
    """
    return may_see_inside(version.bot, viewer) or publication_of(version) is not None


def source_of(version: BotVersion, viewer: Viewer) -> tuple[tuple[str, bytes], ...] | None:
    """Return the files (path, bytes); None for everybody but the owner while they are not published."""
    if not may_read_source(version, viewer):
        return None
    return unpack_files(version.source.data())


def has_public_source() -> Exists:
    """Return the condition of a bot that the source of one of its versions is public."""
    return Exists(public().filter(version__bot=OuterRef("pk")))


def readable_versions(bot: Bot, viewer: Viewer) -> list[BotVersion]:
    """Return the versions whose files this person may read, the newest first, without their bytes. One query."""
    rows = BotVersion.objects.filter(bot=bot).select_related("publication", "bot").order_by("-n")
    if not may_see_inside(bot, viewer):
        rows = rows.filter(publication__withdrawn_at=None, publication__isnull=False, hidden_at=None)
    return list(rows)


def origin_of(bot: Bot) -> Fork | None:
    """Return what a bot was forked from, with the version, its bot and owner; None if it is no fork. One query."""
    rows = Fork.objects.select_related("origin__bot__owner", "origin__publication")
    return rows.filter(bot=bot).first()


def forks_of(version: BotVersion) -> tuple[Sequence[Bot], int]:
    """Return the first bots that were forked from a version, and how many there are. One query, or two."""
    rows = Bot.objects.filter(fork__origin=version).select_related("owner").order_by("fork__pk")
    found = list(rows[: FORKS + 1])
    return found[:FORKS], len(found) if len(found) <= FORKS else rows.count()


def licences_for(bot: Bot, origin: Fork | None) -> list[Licence]:
    """Return the licences that an author may choose for a bot. origin: what it was forked from.

    A fork of somebody else's source keeps to that licence; of one's own one may do as one likes.
    """
    if origin is None or origin.origin.bot.owner_id == bot.owner_id:
        return list(LICENCES.values())
    return [LICENCES[each] for each in LICENCES[origin.licence].for_forks]
