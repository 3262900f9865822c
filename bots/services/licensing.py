"""What goes with the files of a published version when somebody else takes them: the notice of its licence."""

from __future__ import annotations

from typing import Final

from bots.licences.notice import notice_of, with_notice
from bots.models import BotVersion
from bots.selectors.published import origin_of, publication_of

HOUSE: Final = "The Hanami contributors"
"""Who wrote the house's bots: they are part of the project, whose licence names them so."""


def with_licence(
    version: BotVersion, files: tuple[tuple[str, bytes], ...], address: str
) -> tuple[tuple[str, bytes], ...]:
    """Return files (path, bytes) and the notice of the licence. version: a published one; address: of its page."""
    publication, origin = publication_of(version), origin_of(version.bot)
    if publication is None:
        return files
    of_origin = f"{origin.origin} by {origin.origin.bot.owner.shown_name} ({origin.licence})" if origin else ""
    notice = notice_of(
        title=str(version),
        holder=HOUSE if version.bot.house else version.bot.owner.shown_name,
        year=version.created_at.year,
        licence=publication.licence,
        address=address,
        origin=of_origin,
    )
    return with_notice(files, notice)
