"""Additions to the OpenAPI description of every address: how to sign in, and that errors are problem documents."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.views import SpectacularJSONAPIView

PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "description": "RFC 9457. Further members are data for machines.",
    "required": ["type", "status", "code", "title"],
    "properties": {
        "type": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "stable"},
        "title": {"type": "string"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["pointer", "code", "detail"],
                "properties": {
                    "pointer": {"type": "string", "description": "a JSON pointer into what was sent"},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                },
            },
        },
    },
    "additionalProperties": True,
}
ANSWER: Final = {
    "description": "refused: a problem document with a stable code",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
UNCHANGED: Final = {"description": "the reader has it already (If-None-Match)"}


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library's base is untyped
    """`Authorization: Bearer hf_...`."""

    target_class = "web.access.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return how the description names the token."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "hf_..."}


def with_problems(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Add to every operation that it may be refused with a problem document, and to every reading that it may be
    answered with 304.
    """
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    for methods in result["paths"].values():
        for method, operation in methods.items():
            operation["responses"]["default"] = ANSWER
            if method == "get":
                operation["responses"]["304"] = UNCHANGED
    return result


def with_closed_bodies(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Close every body: it may hold what is described and no further fields (`web.bodies`)."""
    components: dict[str, Any] = result["components"]["schemas"]
    operations = [operation for methods in result["paths"].values() for operation in methods.values()]
    for operation in operations:
        for body in operation.get("requestBody", {}).get("content", {}).values():
            _close(body["schema"], components)
    return result


def _close(part: Any, components: dict[str, Any]) -> None:
    """Close every object within a part, also behind references."""
    if isinstance(part, list):
        for each in part:
            _close(each, components)
    elif isinstance(part, dict):
        if "$ref" in part:
            part = components[part["$ref"].rpartition("/")[2]]
        # The second condition ends the recursion where schemas refer to each other: what is closed was seen.
        if "properties" in part and "additionalProperties" not in part:
            part["additionalProperties"] = False
            _close(list(part["properties"].values()), components)
        _close([part[key] for key in ("items", "allOf", "oneOf") if key in part], components)


class Schema(SpectacularJSONAPIView):
    """The OpenAPI description, at an address that stays."""
