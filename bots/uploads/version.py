"""The identity of a bot version: a hash of what it is, not of how it was packed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable


def version_hash(files: Iterable[tuple[str, bytes]], protocol: int, plays: Iterable[str]) -> str:
    """SHA-256 (64 hex digits) of canonical JSON {files: {path: sha256}, protocol, plays}.

    The order of files and presets does not matter; the same bytes packed twice are the same version.
    Source: sandbox.md, Uploads.
    """
    identity = {
        "files": {path: hashlib.sha256(content).hexdigest() for path, content in files},
        "protocol": protocol,
        "plays": sorted(set(plays)),
    }
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
