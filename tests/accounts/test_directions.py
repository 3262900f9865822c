"""Names written from right to left are isolated, wherever they stand and beside any other text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from accounts.directions import isolated_html, isolated_text
from accounts.middleware import IsolateNames

HEBREW, ARABIC = "שלום עולם", "مرحبا"


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        (f"<p>{HEBREW} 700 – {ARABIC} 1080</p>", f"<p><bdi>{HEBREW}</bdi> 700 – <bdi>{ARABIC}</bdi> 1080</p>"),
        (f"{HEBREW} &amp; {ARABIC}, Ben", f"<bdi>{HEBREW}</bdi> &amp; <bdi>{ARABIC}</bdi>, Ben"),
        ("<b>ז&#x27;ק בן-דוד</b> 3", "<b><bdi>ז&#x27;ק בן-דוד</bdi></b> 3"),
        ("ח&quot;ן 7", "<bdi>ח&quot;ן</bdi> 7"),
        ("می‌خواهم 4", "<bdi>می‌خواهم</bdi> 4"),
        ("فريق ٢ 40", "<bdi>فريق ٢</bdi> 40"),
        (f'<input value="{HEBREW} > 3" title=\'{ARABIC}\'>', f'<input value="{HEBREW} > 3" title=\'{ARABIC}\'>'),
        (f"<textarea>{HEBREW} 3</textarea>", f"<textarea>{HEBREW} 3</textarea>"),
        (f"<script>say('{HEBREW}')</script>", f"<script>say('{HEBREW}')</script>"),
        (f"<bdi>{HEBREW}</bdi> 3", f"<bdi>{HEBREW}</bdi> 3"),
        (f"<!-- {HEBREW} -->", f"<!-- {HEBREW} -->"),
        (
            f'<option value="{HEBREW}">1: {HEBREW}</option>',
            f'<option value="{HEBREW}">1: \u2068{HEBREW}\u2069</option>',
        ),
        (f"<title>{HEBREW} · 3</title>", f"<title>\u2068{HEBREW}\u2069 · 3</title>"),
        (f"<svg><text>{HEBREW}</text></svg>", f"<svg><text>\u2068{HEBREW}\u2069</text></svg>"),
        ("<p>Élodie 700 – 花子 1080 … 3 < 4</p>", "<p>Élodie 700 – 花子 1080 … 3 < 4</p>"),
    ],
)  # fmt: skip
def test_a_page_isolates_each_name(page: str, shown: str) -> None:
    assert isolated_html(page) == shown


def test_a_text_isolates_each_name_by_characters() -> None:
    assert isolated_text(f"{HEBREW} 700 – {ARABIC} 1080") == f"\u2068{HEBREW}\u2069 700 – \u2068{ARABIC}\u2069 1080"


def answer(response: HttpResponse | StreamingHttpResponse) -> HttpResponse:
    got: Callable[[HttpRequest], object] = IsolateNames(lambda _request: response)
    shown = got(RequestFactory().get("/"))
    assert isinstance(shown, HttpResponse | StreamingHttpResponse)
    return shown  # type: ignore[return-value]


def test_only_pages_are_changed() -> None:
    assert answer(HttpResponse(HEBREW)).content.decode() == f"<bdi>{HEBREW}</bdi>"
    for kind in ("application/json", "text/csv; charset=utf-8", "text/calendar"):
        assert answer(HttpResponse(HEBREW, content_type=kind)).content.decode() == HEBREW
    assert answer(StreamingHttpResponse([HEBREW])).streaming
