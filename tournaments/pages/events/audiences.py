"""Who an event's form is for: people at tables, bots, or both; and what the form of each leaves out."""

from __future__ import annotations

from typing import Final

from bots.runner.spec import BOUNDS
from core.formats import FORMATS

PEOPLE, BOTS, BOTH = "people", "bots", "both"
AUDIENCES: Final = (PEOPLE, BOTS, BOTH)
HIDDEN: Final[dict[str, tuple[str, ...]]] = {
    PEOPLE: ("who", "draws", "legs", "clock", *BOUNDS, "ends_at", "entries_per_owner", "admits_programs"),
    BOTS: (
        "who",
        "draws",
        "partners",
        "age_gap",
        "boards",
        "team_score",
        "team_best",
        "round_minutes",
        "venue",
        "apart",
        "flows",
        "where",
        "site_clock",
        "admits_programs",
        "sizes",
    ),
    BOTH: (),
}
"""Fields of the form that concern only the others."""
OF_ALL: Final = frozenset(
    {"name", "starts_at", "time_zone", "venue", "description", "min_entries", "max_entries", "entries_per_owner"}
    | {"entries_close_at", "visibility"}
)
ABOVE: Final = {
    PEOPLE: OF_ALL,
    BOTS: OF_ALL,
    BOTH: OF_ALL | {"who", "where", "preset", "seats", "draws"},
}
"""Fields that stand above the fine-tuning."""
TEMPLATES: Final = {
    PEOPLE: "tournaments/_people_fields.html",
    BOTS: "tournaments/_bots_fields.html",
    BOTH: "tournaments/_event_fields.html",
}
"""The fields of the form, laid out."""


def may_choose(kind: str, audience: str) -> bool:
    """Return whether a form offers this format: a ladder is for bots, which play at any hour."""
    return audience != PEOPLE or not FORMATS[kind].is_open_ended
