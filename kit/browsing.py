"""A record in the browser without the service: the site's own viewer, served to this machine alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from threading import Thread
from typing import Any, Final

from core.replay.book import tables
from core.replay.moments import best_moments
from core.replay.reducer import Place
from kit import accounts
from kit.viewing import Viewer, Wanted

# Loopback alone: other machines of the network see neither the page nor the record.
HOST: Final = "127.0.0.1"
TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
# Nothing inline and nothing from elsewhere: names in a record are somebody else's text, and the page runs in the
# reader's own browser.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'"
)
YAKU: Final = (
    '<section class="rp-panel" data-panel="yaku" id="rp-yaku" aria-labelledby="rp-yaku-title">'
    '<h3 id="rp-yaku-title" tabindex="-1">Yaku</h3><ul class="rp-yaku" data-rp="yaku"></ul></section>'
)
YAKU_TAB: Final = '<button type="button" data-tab="yaku" aria-pressed="false">Yaku</button>'
Shelf = Mapping[str, tuple[str, bytes]]
"""What is served: media type and content by path. No other request finds anything."""


def shelf(viewer: Viewer, document: Mapping[str, Any], place: Place, asked: Wanted) -> Shelf:
    """The page of a match, its record, its words, and the viewer that the site has."""
    words = {"book": viewer.book, "tables": tables(viewer.replay.game)}
    return {
        "/": ("text/html; charset=utf-8", page(viewer, place, asked).encode()),
        "/record.json": ("application/json", json.dumps(document).encode()),
        "/words.json": ("application/json", json.dumps(words).encode()),
        **_static(),
    }


def _static() -> Shelf:
    """Scripts, styles and cards: in a wheel they lie in the kit, in a clone where the site has them."""
    packed: Traversable = files("kit").joinpath("static")
    root = packed if packed.is_dir() else Path(__file__).parents[1] / "static"
    rooms = {
        "table": (".js", ".css", ".svg"),
        "site": ("site.css", "icon.svg"),
        "site/fonts": (".woff2",),
        "cards": ("classic.svg",),
    }
    return {
        f"/{room}/{file.name}": (TYPES[Path(file.name).suffix], file.read_bytes())
        for room, names in rooms.items()
        for file in root.joinpath(room).iterdir()
        if file.name.endswith(names)
    }


def page(viewer: Viewer, place: Place, asked: Wanted) -> str:
    """The page with the facts of a match; the viewer draws the table."""
    replay = viewer.replay
    template = Template(files("kit").joinpath("templates", "replay.html.txt").read_text(encoding="utf-8"))
    has_yaku = bool(tables(replay.game)["yaku"])
    seat = 0 if asked.seat is None or asked.seat >= len(replay.sides) else asked.seat + 1
    return template.substitute(
        title=escape(" – ".join(dict.fromkeys(replay.names))),
        facts=escape(viewer.heading()[0]),
        deal=place.deal,
        move=place.move,
        view=seat,
        seats=len(replay.sides),
        views="".join(_views(replay.labelled_names(), seat)),
        best=" ".join(f"{one.deal}.{one.move}" for one in best_moments(replay)),
        line=accounts.result(replay),
        score=accounts.score(replay, viewer.book, place.deal),
        yaku=YAKU if has_yaku else "",
        yaku_tab=YAKU_TAB if has_yaku else "",
    )


def _views(names: tuple[str, ...], shown: int) -> Iterator[str]:
    for number, name in enumerate(("All hands open", *names)):
        mark = ' aria-current="true"' if number == shown else ""
        yield f'<a href="#replay" data-view="{number}"{mark}>{escape(name)}</a>'


@contextmanager
def serving(things: Shelf) -> Iterator[str]:
    """Serve these to this machine, on a free port, while the block runs; the address without a slash at its end."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # A look-up in a table of what is served; no path of a request ever reaches the file system.
            found = things.get(self.path.partition("?")[0])
            kind, content = found or ("text/plain", b"There is no such page: this server has one match.\n")
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Content-Security-Policy", POLICY)
            # The next match may be served on the same port.
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name that the library gives it
            """Write nothing: what somebody looks at is nobody's business."""

    # Threads: browsers keep connections open, and one of them must not hold up the others.
    with ThreadingHTTPServer((HOST, 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
