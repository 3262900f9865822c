"""The index as `pip` and others read it: HTML (PEP 503) and JSON (PEP 691), with hashes and metadata (PEP 658)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from django.template.loader import render_to_string
from django.urls import reverse

from packages.wheels import HASH_PART, Wheel

API: Final = "1.1"
JSON: Final = "application/vnd.pypi.simple.v1+json"
HTML: Final = "application/vnd.pypi.simple.v1+html"
PLAIN: Final = "text/html"
ELSEWHERE: Final = "https://pypi.org/simple/"
"""Where every other package is: what ours need comes from there."""


def address_of(wheel: Wheel) -> str:
    """Return the address of a wheel, which changes with its bytes."""
    return reverse("kit-file", args=[wheel.sha256[:HASH_PART], wheel.name])


def projects_document(projects: Sequence[str], kind: str) -> str:
    """Return the list of projects; kind: JSON, or one of the two kinds of HTML."""
    if kind == JSON:
        return json.dumps({"meta": {"api-version": API}, "projects": [{"name": name} for name in projects]})
    return render_to_string("packages/simple.html", {"api": API, "projects": projects})


def project_document(project: str, wheels: Sequence[Wheel], kind: str) -> str:
    """Return the files of a project; kind: JSON, or one of the two kinds of HTML."""
    if kind != JSON:
        context = {"api": API, "project": project, "files": [(wheel, address_of(wheel)) for wheel in wheels]}
        return render_to_string("packages/simple_project.html", context)
    versions = list(dict.fromkeys(str(wheel.version) for wheel in wheels))
    files = [_file(wheel) for wheel in wheels]
    return json.dumps({"meta": {"api-version": API}, "name": project, "versions": versions, "files": files})


def _file(wheel: Wheel) -> dict[str, object]:
    return {
        "filename": wheel.name,
        "url": address_of(wheel),
        "size": wheel.size,
        "hashes": {"sha256": wheel.sha256},
        "requires-python": wheel.requires_python,
        "core-metadata": {"sha256": wheel.metadata_sha256},
    }
