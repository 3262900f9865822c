"""`python -m scripts.promise_api`: write down what programs may rely on in version 1 of the API, which only grows.

Run it when something new is to stay. `test_api_words.py` fails if anything that
stands there is taken away.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

PROMISE: Final = Path(__file__).parents[1] / "tests" / "data" / "api-v1.json"
METHODS: Final = ("get", "post", "put", "patch", "delete")
Json = dict[str, Any]


def description() -> Json:
    """The OpenAPI description as it is served."""
    from drf_spectacular.generators import SchemaGenerator  # once Django is there

    generator: Any = SchemaGenerator
    found: Json = generator().get_schema(request=None, public=True)
    return found


def operations(described: Json) -> Iterator[tuple[str, Json]]:
    """Method with path, and what is said of it."""
    for path, methods in described["paths"].items():
        for method in METHODS:
            if method in methods:
                yield f"{method.upper()} {path}", methods[method]


def shape(described: Json) -> Json:
    """Return what a program may rely on: operations with parameters and what they must be told; fields of every
    component.
    """
    return {
        "operations": {
            label: {
                "id": found["operationId"],
                "parameters": sorted(f"{each['in']} {each['name']}" for each in found.get("parameters", ())),
                "must": sorted(
                    f"{each['in']} {each['name']}" for each in found.get("parameters", ()) if each.get("required")
                ),
                "answers": sorted(status for status in found["responses"] if status.startswith("2")),
            }
            for label, found in operations(described)
        },
        "fields": {
            name: {
                "all": sorted(part["properties"]),
                # Only of requests: what must be sent may not grow, while an answer may always gain fields.
                "must": sorted(part.get("required", ())) if name.endswith("Request") else [],
            }
            for name, part in described["components"]["schemas"].items()
            if part.get("properties")
        },
        "words": {
            name: sorted(part["enum"], key=str)
            for name, part in described["components"]["schemas"].items()
            if "enum" in part
        },
    }


def main() -> None:
    """Write it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    found = shape(description())
    PROMISE.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{len(found['operations'])} operations, {len(found['fields'])} kinds of documents: {PROMISE}")


if __name__ == "__main__":
    main()
