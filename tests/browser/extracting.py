"""Messages that code and templates mark for translation, read without running them or gettext."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("accounts", "activity", "bots", "config", "core", "engine", "guides", "kit", "packages", "tournaments",
            "tables", "web")  # fmt: skip
# The marks of gettext: name -> (arguments before the message, number of messages).
MARKS = {
    name + tail: shape
    for name, shape in {
        "_": (0, 1),
        "gettext": (0, 1),
        "gettext_noop": (0, 1),
        "ngettext": (0, 2),
        "pgettext": (1, 1),
        "npgettext": (1, 2),
    }.items()
    for tail in ("", "_lazy")
}
IN_TEMPLATE = re.compile(
    r"""(?<![\w.])(?:gettext|ngettext|pgettext|npgettext|_)\((?:\s*u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*,?)+""",
    re.DOTALL,
)


def key_of(context: str, *forms: str) -> str:
    """Return the key of a message in a compiled catalogue: context, singular and plural."""
    return (context + "\x04" if context else "") + "\0".join(forms)


def _constants(call: ast.Call) -> list[str]:
    texts = []
    for argument in call.args:
        if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
            break
        texts.append(argument.value)
    return texts


def _aliases(tree: ast.AST) -> dict[str, str]:
    """Return names under which a module imports the marks: {"_": "gettext_lazy"}."""
    return {
        name.asname or name.name: name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for name in node.names
        if name.name in MARKS
    }


def of_code(text: str) -> Iterator[str]:
    """Return keys of the messages of one module."""
    if "django.utils.translation" not in text and "gettext" not in text:
        return
    tree = ast.parse(text)
    aliases = _aliases(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        shape = MARKS.get(aliases.get(name, name))
        texts = _constants(node)
        if shape and len(texts) >= sum(shape) and texts[shape[0]]:
            yield key_of("".join(texts[: shape[0]]), *texts[shape[0] : sum(shape)])


def of_template(text: str) -> Iterator[str]:
    """Return keys of the messages of one template."""
    for mark in IN_TEMPLATE.findall(templatize(text)):
        call = ast.parse(mark.rstrip(" ,") + ")", mode="eval").body
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Name)
        shape, texts = MARKS[call.func.id], _constants(call)
        yield key_of("".join(texts[: shape[0]]), *texts[shape[0] : sum(shape)])


def extracted() -> dict[str, set[str]]:
    """Return every message that is marked: key -> the files that mark it."""
    found: dict[str, set[str]] = {}
    for path in _sources():
        text = path.read_text(encoding="utf-8")
        for key in (of_code if path.suffix == ".py" else of_template)(text):
            found.setdefault(key, set()).add(str(path.relative_to(ROOT)))
    return found


@cache  # each language asks, and parsing every module takes seconds
def written() -> frozenset[str]:
    """Return every text that stands in a module: messages of pure packages are translated where they are shown."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in _sources() if path.suffix == ".py")
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return frozenset(node.value for node in nodes if isinstance(node.value, str))


def _sources() -> Iterator[Path]:
    for package in PACKAGES:
        yield from (ROOT / package).rglob("*.py")
    for path in (ROOT / "templates").rglob("*"):
        if path.suffix in (".html", ".txt"):
            yield path
