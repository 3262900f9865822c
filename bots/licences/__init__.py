"""Licences that an author can choose for a published source, by their SPDX identifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MIT: Final = "MIT"
APACHE: Final = "Apache-2.0"
GPL: Final = "GPL-3.0-or-later"
CC0: Final = "CC0-1.0"


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence. id: its SPDX identifier; name: its own name, the same in every language; words: what it means, for
    people; for_forks: identifiers that a changed copy may be published under.
    """

    id: str
    name: str
    words: str | Promise
    for_forks: tuple[str, ...]

    @property
    def url(self) -> str:
        """Return the address of its text."""
        return f"https://spdx.org/licenses/{self.id}.html"

    @property
    def text(self) -> str:
        """Return its full text, in English, the only language in which it holds."""
        return _text(self.id)


# What a fork may have follows from the licences themselves: who passes on changed copies of GPL code keeps the GPL;
# Apache-2.0 code may become part of GPL-3.0 code, not of code whose only conditions are those of MIT or CC0.
LICENCES: Final[Mapping[str, Licence]] = {
    each.id: each
    for each in (
        Licence(
            MIT,
            "MIT License",
            _(
                "Everybody may use, change and share it, also in closed programs, as long as the name of its author "
                "stays with it."
            ),
            (MIT, APACHE, GPL),
        ),
        Licence(
            APACHE,
            "Apache License 2.0",
            _(
                "Like MIT; changed files have to say that they were changed, and its authors allow the use of their "
                "patents on it."
            ),
            (APACHE, GPL),
        ),
        Licence(
            GPL,
            "GNU General Public License 3.0 or later",
            _("Everybody may use, change and share it; changed copies that are shared must be under the same licence."),
            (GPL,),
        ),
        Licence(
            CC0,
            "CC0 1.0 Universal",
            _(
                "Its author gives up all rights as far as the law allows: everybody may do anything with it, without "
                "naming them."
            ),
            (MIT, APACHE, GPL, CC0),
        ),
    )
}


@cache
def _text(licence: str) -> str:
    return (Path(__file__).parent / f"{licence}.txt").read_text(encoding="utf-8")
