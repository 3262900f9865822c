"""Words for every field and parameter of the OpenAPI description that has none of its own."""

from __future__ import annotations

from typing import Any, Final

from tournaments.api.schema.glossary import WORDS
from tournaments.api.schema.glossary_places import PLACES

PARAMETERS: Final[dict[str, str]] = {
    "kind": "what it is",
    "limit": "how many a page, at most 200",
    "cursor": "where the page begins; `next` and `prev` name it",
    "name": "which file",
    "preset": "the id of a preset",
    "role": "which role",
    "state": "those in this state alone",
    "uuid": "names it for good",
    "verb": "what is done",
    "when": "live: running now; soon: not started; past: over; mine: that I run or play in",
}
"""Meanings of parameters of addresses and queries; a place that means something else says it itself."""
OF_THE_LIBRARY: Final = ("", "The pagination cursor value.", "Number of results to return per page.")
"""Descriptions that the library puts in where nobody wrote one."""
Json = dict[str, Any]


def with_words(result: Json, **_kwargs: Any) -> Json:
    """Return the description with the glossary's words for every field and parameter that has none."""
    for name, component in result["components"]["schemas"].items():
        for field, part in component.get("properties", {}).items():
            component["properties"][field] = _with_description(part, _meaning(name, field))
    for methods in result["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if parameter.get("description", "") in OF_THE_LIBRARY and parameter["name"] in PARAMETERS:
                    parameter["description"] = PARAMETERS[parameter["name"]]
    return result


def _meaning(component: str, field: str) -> str:
    """Return what a field means in this component, else what its name means; "" for one that nobody has described."""
    stem = component.removeprefix("Patched").removesuffix("Request")
    return PLACES.get(f"{stem}.{field}") or WORDS.get(field, "")


def _with_description(part: Json, words: str) -> Json:
    """Return the field with these words, unless it has some. Beside a bare reference nothing may stand: it is
    wrapped.
    """
    if part.get("description") or not words:
        return part
    if "$ref" in part:
        return {"allOf": [part], "description": words}
    return {**part, "description": words}
