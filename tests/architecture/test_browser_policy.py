"""Browser policy: a page loads our own files only, and nothing inline.

The policy says so and the templates keep to it.
"""

import re

import pytest
from django.conf import settings
from django.test import Client

from tests.architecture.source import name_of
from tests.services.processes import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
INLINE = {
    "an inline script": re.compile(r"<script(?![^>]*\b(src=|type=\"application/(ld\+)?json\"))[^>]*>", re.I),
    "a style element": re.compile(r"<style\b", re.I),
    "a style attribute": re.compile(r"<[^>]+\sstyle=", re.I),
    "an event attribute": re.compile(r"<[^>]+\son[a-z]+=\s*[\"']", re.I),
    "another host": re.compile(r"<(script|link|img|iframe|use)\b[^>]*\b(src|href)=[\"'](https?:)?//", re.I),
    "javascript in a link": re.compile(r"href=[\"']\s*javascript:", re.I),
}


@pytest.mark.django_db
def test_every_answer_carries_the_strict_policy(client: Client) -> None:
    for address in ("/", "/t/", "/no-such-page/"):
        policy = client.get(address)["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert not re.search(r"unsafe|https?:|\*|data:|blob:", policy)


def test_no_directive_opens_a_door() -> None:
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    allowed = {source for sources in directives.values() for source in sources}
    assert allowed <= {"'self'", "'none'"}


@pytest.mark.parametrize("what", INLINE)
def test_no_template_needs_more_than_the_policy_allows(what: str) -> None:
    assert TEMPLATES
    wrong = [name_of(path) for path in TEMPLATES if INLINE[what].search(path.read_text(encoding="utf-8"))]
    assert not wrong, wrong
