"""Scripts of a page with all that they import: the browser fetches them together, not one after the other."""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final

from django import template
from django.contrib.staticfiles.finders import find
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
IMPORT: Final = re.compile(r'^import .*"(\.[^"]+)";$', re.MULTILINE)


@cache
def imports_of(name: str) -> tuple[str, ...]:
    """Return the scripts that a script imports and those that these import, each once: ("table/parts.js", …).

    Raises FileNotFoundError for a script that is not there.
    """
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        each = waiting.pop()
        path = find(each)
        if path is None:
            raise FileNotFoundError(each)
        with open(path, encoding="utf-8") as file:
            named = IMPORT.findall(file.read())
        folder = PurePosixPath(each).parent
        fresh = [one for one in (normpath(folder / other) for other in named) if one not in found and one != name]
        found |= dict.fromkeys(fresh)
        waiting += fresh
    return tuple(found)


@register.simple_tag
def module(name: str) -> SafeString:
    """Return the tags that load a script and all that it imports."""
    imported = ((static(each),) for each in imports_of(name))
    preloads = format_html_join("\n", '<link rel="modulepreload" href="{}">', imported)
    return format_html('<script type="module" src="{}"></script>\n{}', static(name), preloads)


@register.simple_tag
def module_ahead(name: str) -> SafeString:
    """Return the tags that fetch a script and all that it imports for the page that probably comes next."""
    scripts = ((static(each),) for each in (name, *imports_of(name)))
    return format_html_join("\n", '<link rel="prefetch" as="script" href="{}">', scripts)
