"""Pages of tables and of remote programs, as strangers and their owners see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from accounts.models import User
from tables.programs.retiring import retire_program
from tests.builders import events as a
from tests.tables.players import a_table
from tests.tables.programs.building import a_program
from tests.tables.test_events import on_site

ROUTES: Final = frozenset(
    {
        "play/",
        "play/<uuid:uuid>/",
        "play/alike/",
        "play/events/<slug:slug>/",
        "programs/",
        "programs/<slug:slug>/",
        "me/programs/",
        "me/programs/<slug:slug>/",
    }
)
POSTED: Final = (
    "play/open/",
    "play/<uuid:uuid>/do/<slug:verb>/",
    "programs/<slug:slug>/play/",
    "me/programs/<slug:slug>/retire/",
)


def tables() -> tuple[str, ...]:
    """Return the pages of tables that are played, and the one where people find a table."""
    made = [a_table(preset)[0] for preset in ("koikoi_nintendo", "poka3")]
    return ("/play/", *(f"/play/{table.uuid}/" for table in made))


def readers() -> Iterator[tuple[User | None, tuple[str, ...]]]:
    """Yield readers and their pages: of programs, and of events whose matches are tables."""
    yield from programs()
    yield from events()


def events() -> Iterator[tuple[User | None, tuple[str, ...]]]:
    """Yield readers and pages: of an event whose matches are tables, for its organiser; of what is alike, for staff."""
    event = on_site()
    yield event.created_by, (f"/play/events/{event.slug}/", f"/t/{event.slug}/desk/")
    yield a.a_user("of-the-staff", is_staff=True), ("/play/alike/",)


def programs() -> Iterator[tuple[User | None, tuple[str, ...]]]:
    """Yield readers and pages: of programs that are connected, not connected, retired; with long names."""
    ann = a.a_user("programmer-" + "w" * 40)
    here, gone = a_program("Kintaro " + "w" * 40, ann), a_program("Retired", ann)
    a_program("Away", ann, is_here=False)
    retire_program(program=gone, by=ann)
    shown = tuple(f"/programs/{slug}/" for slug in (here.bot.slug, gone.bot.slug, "away-remote"))
    yield None, ("/programs/", "/programs/?q=nothing-of-this", *shown)
    yield ann, ("/me/programs/", f"/me/programs/{here.bot.slug}/", f"/b/{here.bot.slug}/")
