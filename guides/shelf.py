"""List of the guides, for whom and in which order: what `docs/README.md` and `docs/decisions/README.md` list.

A page of the site is looked up among these and nowhere else, so no address can lead to another file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

INDEX: Final = "README.md"
DECISIONS: Final = "decisions"
AUDIENCES: Final[dict[str, str | Promise]] = {
    "Players": _("Players"),
    "Bot authors": _("Bot authors"),
    "Organisers": _("Organisers"),
    "Operators and developers": _("Operators and developers"),
}
FOR_DEVELOPERS: Final = ("Operators and developers", DECISIONS)
"""Audiences of those who run or change the service, and not of those who play on it."""
_ITEM: Final = re.compile(r"- \[(?P<label>[^\]]+)\]\((?P<file>[\w.-]+\.md)\) (?P<says>.+)")
_NUMBER: Final = re.compile(r"^\d+-")


@dataclass(frozen=True, slots=True)
class Guide:
    """A page. file: below `docs/`, "09-the-kit.md"; name: in its address; title, summary: as its index has them."""

    file: str
    name: str
    title: str
    summary: str
    audience: str

    @property
    def url(self) -> str:
        if self.audience == DECISIONS:
            return reverse("decision", args=[self.name])
        return reverse("guide", args=[self.name])


# Compared by identity: it is part of the key under which each guide is kept, and has two hundred guides to hash.
@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """All guides in the order of their index, then all decisions in the order of their numbers."""

    guides: tuple[Guide, ...]
    decisions: tuple[Guide, ...]

    def by_audience(self) -> dict[str, list[Guide]]:
        """Return the guides by audience; the audiences in their order."""
        found: dict[str, list[Guide]] = {}
        for guide in self.guides:
            found.setdefault(guide.audience, []).append(guide)
        return found

    def named(self, name: str) -> Guide | None:
        """Return the guide at `/docs/<name>/`."""
        return next((guide for guide in self.guides if guide.name == name), None)

    def decision(self, name: str) -> Guide | None:
        """Return the decision at `/docs/decisions/<name>/`."""
        return next((guide for guide in self.decisions if guide.name == name), None)

    def of_file(self, file: str) -> Guide | None:
        """Return the page that a file below `docs/` became."""
        return next((guide for guide in (*self.guides, *self.decisions) if guide.file == file), None)

    def beside(self, guide: Guide) -> tuple[Guide | None, Guide | None]:
        """Return the guides before and after this one."""
        row = self.decisions if guide.audience == DECISIONS else self.guides
        at = row.index(guide)
        return (row[at - 1] if at else None), (row[at + 1] if at + 1 < len(row) else None)


def folder() -> Path:
    """Return the folder of the guides."""
    return Path(settings.DOCS_DIR)


def shelf() -> Shelf:
    """Return the guides as their indexes list them now."""
    indexes = [folder() / INDEX, folder() / DECISIONS / INDEX]
    # Times of the indexes as the key: two calls of stat instead of two files for every page.
    return _shelf(folder(), tuple(path.stat().st_mtime_ns for path in indexes))


@lru_cache(maxsize=4)
def _shelf(root: Path, _written: tuple[int, ...]) -> Shelf:
    guides = tuple(_listed(root / INDEX))
    decisions = sorted(_listed(root / DECISIONS / INDEX), key=lambda guide: guide.name)
    return Shelf(guides, tuple(decisions))


def _listed(index: Path) -> Iterator[Guide]:
    """Yield the pages an index lists under its headings."""
    is_decisions = index.parent.name == DECISIONS
    audience = DECISIONS if is_decisions else ""
    for line in index.read_text(encoding="utf-8").splitlines():
        if line.startswith("## ") and not is_decisions:
            audience = line.removeprefix("## ").strip()
        # Only plain file names match: no index can name a file outside its folder.
        item = _ITEM.fullmatch(line.strip())
        if item is None:
            continue
        stem = item["file"].removesuffix(".md")
        if is_decisions:
            yield Guide(f"{DECISIONS}/{item['file']}", stem, item["says"], item["label"], audience)
        else:
            summary = item["says"].replace("`", "")
            yield Guide(item["file"], _NUMBER.sub("", stem), item["label"], summary, audience)
