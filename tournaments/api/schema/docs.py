"""Documentation pages of the API, made from its own schema and the examples; no scripts, no other hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from tournaments.api.schema.examples import ANSWER, EXAMPLES, PYTHON_HEAD, SIGNED_ANSWER, filled
from tournaments.api.schema.receiver import RECEIVER
from tournaments.api.schema.subjects import ABOUT
from tournaments.webhooks.event_types import webhook_kinds
from web.highlighting import highlighted
from web.page import render_page

FIRST: Final = 'curl -sS \\\n"{base}/api/v1/tournaments?limit=1"'
"""The request that the page begins with, for which nobody needs an account."""
SIGNED: Final = 'curl -sS \\\n"{base}{path}" \\\n-H "Authorization: Bearer {token}"'
"""A request of somebody who has a token."""
ME: Final = "/api/v1/me"
"""What the page asks with a token."""
SAMPLES: Final = {"{slug}": "{event}", "{preset}": "hawaii"}
"""What stands for the parameters of a path in a request to copy; a path with others has none."""
METHODS: Final = ("get", "post", "put", "patch", "delete")
OF_EVENT: Final = ("tournaments", "{slug}")
GOOD: Final = ("200", "201", "202", "204")


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter, or one field of a body or an answer. kind: its type; about: in words."""

    name: str
    kind: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """One address and an operation on it. sent: fields of the body; fields: of the answer, or of its items."""

    method: str
    path: str
    summary: str
    parameters: tuple[Field, ...]
    sent: tuple[Field, ...]
    fields: tuple[Field, ...]
    is_list: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """An example with the address of this service in it."""

    title: str
    shell: SafeString
    python: SafeString


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """Show what holds of every address, examples to copy, and where each address is described."""
    base = f"{request.scheme}://{request.get_host()}"
    examples = [
        Shown(str(each.title), _code(each.shell, "sh", base), _code(each.python, "python", base)) for each in EXAMPLES
    ]
    context = {"groups": groups(), "examples": examples, "head": _code(PYTHON_HEAD, "python", base)}
    context |= {"base": base, "first": _breaking(_code(FIRST, "sh", base)), "answer": _code(ANSWER, "json", base)}
    context |= {"with_token": _with_token(ME, base), "signed_answer": _code(SIGNED_ANSWER, "json", base)}
    context |= {"receiver": highlighted(RECEIVER, "python"), "kinds": list(webhook_kinds().items())}
    return render_page(request, "api/docs.html", context)


def _code(template: str, language: str, base: str) -> SafeString:
    return highlighted(filled(template, base=base), language)


@require_safe
def api_group(request: HttpRequest, group: str) -> HttpResponse:
    """Show the addresses of one resource with what each takes and answers."""
    found = next((each for each in groups() if each.id == group), None)
    if found is None:
        raise Http404(group)
    base = f"{request.scheme}://{request.get_host()}"
    context = {"group": found, "groups": groups(), "sample": found.sample and _with_token(found.sample, base)}
    return render_page(request, "api/group.html", context)


def _with_token(path: str, base: str) -> SafeString:
    return _breaking(_code(SIGNED.replace("{path}", path), "sh", base))


def _breaking(code: SafeString) -> SafeString:
    """Let an address that is too long for a line break behind a slash, not within a word."""
    return mark_safe(re.sub(r"(?<=\w)/(?=\w)", "/<wbr>", code))  # noqa: S308  # a mark between two words of safe text


@dataclass(frozen=True, slots=True)
class Group:
    """The operations on one resource. id: its word in addresses; those of events are by what they are about."""

    id: str
    operations: tuple[Operation, ...]

    @property
    def title(self) -> str:
        """As a heading: `Pair rules`."""
        return self.id.replace("-", " ").capitalize()

    @property
    def about(self) -> str:
        """What it is, in a line."""
        return ABOUT[self.id]

    @property
    def methods(self) -> list[str]:
        """The methods of its operations, each once."""
        return [name.upper() for name in METHODS if any(each.method == name.upper() for each in self.operations)]

    @property
    def sample(self) -> str:
        """The path of a request to copy, the first that only reads; "" where one needs more than an event's address."""
        for operation in self.operations:
            path = operation.path
            for name, value in SAMPLES.items():
                path = path.replace(name, value)
            if operation.method == "GET" and "{" not in path.replace("{event}", ""):
                return path
        return ""

    @property
    def is_in_event(self) -> bool:
        """Whether it belongs to one tournament: most of its operations lie below the tournament's address."""
        within = sum(_words(each.path)[0] == OF_EVENT[0] != self.id for each in self.operations)
        return 2 * within > len(self.operations)


@cache
def groups() -> tuple[Group, ...]:
    """Return every operation by resource, in the order of their paths."""
    found: dict[str, list[Operation]] = {}
    for operation in operations():
        found.setdefault(_resource(operation.path), []).append(operation)
    return tuple(Group(name, tuple(own)) for name, own in found.items())


def _resource(path: str) -> str:
    """Return the resource of a path: `/api/v1/bots/{slug}` is of bots, `/api/v1/tournaments/{slug}/entries:here` of
    entries.
    """
    words = _words(path)
    return words[2] if words[0] == OF_EVENT[0] and len(words) > len(OF_EVENT) else words[0]


def _words(path: str) -> list[str]:
    return [part.partition(":")[0] for part in path.split("/")[3:]]


# Once per process: the description is made of code alone.
@cache
def operations() -> tuple[Operation, ...]:
    """Return the schema's operations in the order of their paths."""
    generator: Any = SchemaGenerator
    schema = generator().get_schema(request=None, public=True)
    return tuple(
        _operation(method, path, methods[method], schema)
        for path, methods in schema["paths"].items()
        for method in METHODS
        if method in methods
    )


def _operation(method: str, path: str, found: dict[str, Any], schema: dict[str, Any]) -> Operation:
    answer = _first_schema(next(found["responses"][status] for status in GOOD if status in found["responses"]))
    resolved = _resolve(answer, schema)
    items = resolved.get("properties", {}).get("items")
    if items is None and resolved.get("type") == "array":
        items = resolved
    row = _resolve(_resolve(items, schema).get("items", {}), schema) if items else resolved
    body = _resolve(_first_schema(found.get("requestBody", {})), schema)
    return Operation(
        method=method.upper(),
        path=path,
        summary=str(found.get("description", "")).strip(),
        parameters=tuple(Field(each["name"], each["in"], each.get("description", "")) for each in _named(found)),
        sent=tuple(_fields(body)),
        fields=tuple(_fields(row)),
        is_list=items is not None,
    )


def _named(found: dict[str, Any]) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = found.get("parameters", [])
    return parameters


def _first_schema(part: dict[str, Any]) -> dict[str, Any]:
    contents: dict[str, Any] = part.get("content", {})
    return next((dict(content.get("schema", {})) for content in contents.values()), {})


def _fields(part: dict[str, Any]) -> Iterator[Field]:
    for name, found in part.get("properties", {}).items():
        yield Field(name, _kind(found), str(found.get("description", "")))


def _resolve(part: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = part.get("$ref")
    if not reference:
        return part
    found = schema["components"]["schemas"][str(reference).rsplit("/", 1)[-1]]
    return dict(found)


def _kind(part: dict[str, Any]) -> str:
    if "$ref" in part or "allOf" in part:
        return "word"
    kind = str(part.get("format") or part.get("type") or "any")
    return f"{kind} or null" if part.get("nullable") else kind
