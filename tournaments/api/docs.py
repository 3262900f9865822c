"""The documentation page of the API, made from its own schema; no scripts, no other hosts."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from bots.views.page import render_page


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an answer."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One address."""

    path: str
    summary: str
    parameters: tuple[Field, ...]
    fields: tuple[Field, ...]
    is_list: bool


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """Every address with its parameters and the fields it answers."""
    return render_page(request, "api/docs.html", {"operations": operations()})


@cache
def operations() -> tuple[Operation, ...]:
    """The schema's operations in the order of their paths."""
    generator: Any = SchemaGenerator
    schema = generator().get_schema(request=None, public=True)
    return tuple(
        _operation(path, methods["get"], schema) for path, methods in schema["paths"].items() if "get" in methods
    )


def _operation(path: str, found: dict[str, Any], schema: dict[str, Any]) -> Operation:
    answer = found["responses"]["200"].get("content", {}).get("application/json", {}).get("schema", {})
    resolved = _resolve(answer, schema)
    items = resolved.get("properties", {}).get("items")
    if items is None and resolved.get("type") == "array":
        items = resolved
    row = _resolve(_resolve(items, schema).get("items", {}), schema) if items else resolved
    return Operation(
        path=path,
        summary=str(found.get("description", "")).strip(),
        parameters=tuple(Field(each["name"], each.get("description", "")) for each in found.get("parameters", [])),
        fields=tuple(Field(name, _kind(part)) for name, part in row.get("properties", {}).items()),
        is_list=items is not None,
    )


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
