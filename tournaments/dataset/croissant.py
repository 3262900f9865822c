"""The description of a dataset for machines: Croissant 1.0 of MLCommons, JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.utils.translation import override

from engine.data_rows import COLUMNS, Column
from tournaments.dataset.catalogue import DayFile
from tournaments.dataset.columns import MEANINGS

LICENCE: Final = "https://creativecommons.org/publicdomain/zero/1.0/"
NAME: Final = "Hanafuda decisions"
DESCRIPTION: Final = (
    "Every decision of bots in the public hanafuda matches of a tournament service: what the player could know, the "
    "legal actions, the choice, and how deal and match ended. Each row follows from a published record that proves "
    "itself. It holds no names of people."
)
MEDIA_TYPE: Final = "application/x-parquet"
"""The name that mlcroissant knows; the registered one, application/vnd.apache.parquet, it cannot read yet (1.1)."""
DAYS: Final = "days"
_TYPES: Final = {"text": "sc:Text", "int8": "cr:Int8", "int16": "cr:Int16", "int32": "cr:Int32", "int64": "cr:Int64"}
_CONTEXT: Final[dict[str, Any]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def text(days: Sequence[DayFile], *, home: str = "", address: Callable[[DayFile], str] | None = None) -> str:
    """Write the description of these files.

    home: the page of the dataset, absolute; address: of a file. Without them files are named as they lie in the folder.
    """
    return json.dumps(document(days, home=home, address=address), ensure_ascii=False, indent=1) + "\n"


def document(
    days: Sequence[DayFile], *, home: str = "", address: Callable[[DayFile], str] | None = None
) -> dict[str, Any]:
    """Return the same as data."""
    ordered = sorted(days, key=lambda day: day.day)
    files = [_file(day, address(day) if address else day.name) for day in ordered]
    newest = max((day.day for day in ordered), default="1970-01-01")
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": NAME,
        "description": DESCRIPTION,
        "license": LICENCE,
        "url": home or "https://example.org/",
        "datePublished": newest,
        # Days are added, and a day is made again when an event of it is withdrawn: its hash then changes.
        "version": f"1.0.{len(ordered)}",
        "isLiveDataset": True,
        "citeAs": citation(home),
        "distribution": [*files, _all()] if ordered else [],
        "recordSet": [_records()] if ordered else [],
    }


def citation(home: str) -> str:
    """Write the dataset's entry for a list of references (BibTeX)."""
    fields = {"title": NAME, "howpublished": "Parquet, CC0 1.0"} | ({"url": home} if home else {})
    lines = ["hanafuda-decisions", *(f"  {name} = {{{value}}}" for name, value in fields.items())]
    return "@misc{" + ",\n".join(lines) + "\n}"


def _file(day: DayFile, address: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": day.name,
        "name": day.name,
        "description": f"{day.decisions} decisions of {day.matches} matches that ended on {day.day} (UTC)",
        "contentUrl": address,
        "contentSize": f"{day.bytes} B",
        "encodingFormat": MEDIA_TYPE,
        "sha256": day.sha256,
    }


def _all() -> dict[str, Any]:
    """Name all files as one, since every row is of the same kind: those beside the description, once downloaded."""
    return {
        "@type": "cr:FileSet",
        "@id": DAYS,
        "name": DAYS,
        "description": "the files of all days",
        "encodingFormat": MEDIA_TYPE,
        "includes": "*.parquet",
    }


def _records() -> dict[str, Any]:
    with override("en"):
        fields = [_field(column) for column in COLUMNS]
    return {"@type": "cr:RecordSet", "@id": "decisions", "name": "decisions", "field": fields}


def _field(column: Column) -> dict[str, Any]:
    found: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"decisions/{column.name}",
        "name": column.name,
        "description": str(MEANINGS[column.name]),
        "dataType": _TYPES[column.kind.removesuffix("[]")],
        "source": {"fileSet": {"@id": DAYS}, "extract": {"column": column.name}},
    }
    return {**found, "repeated": True} if column.kind.endswith("[]") else found
