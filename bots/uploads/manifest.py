"""hanami.toml: what a bot is called, which protocol it speaks and what it plays."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from bots.uploads import limits
from bots.uploads.refusal import UploadRefused
from engine.games import PRESETS

_KEYS = frozenset({"name", "protocol", "plays"})


@dataclass(frozen=True, slots=True)
class Manifest:
    """The declared facts; `None` where the file says nothing and the form or the API decides."""

    name: str | None = None
    protocol: int = 1
    plays: tuple[str, ...] | None = None


def read_manifest(data: bytes | None) -> Manifest:
    """The manifest in `data` (the bytes of hanami.toml), or the defaults when there is none.

    Raises UploadRefused upload.manifest (not TOML, unknown key, wrong type) or upload.plays (unknown preset).
    """
    if data is None:
        return Manifest()
    table = _parse(data)
    unknown = sorted(set(table) - _KEYS)
    if unknown:
        raise _refused(f"unknown key {unknown[0]!r:.60}; known are {', '.join(sorted(_KEYS))}")
    plays = table.get("plays")
    return Manifest(
        name=_name(table.get("name")),
        protocol=_protocol(table.get("protocol", 1)),
        plays=None if plays is None else check_plays(plays),
    )


def _refused(what: str) -> UploadRefused:
    return UploadRefused(
        "upload.manifest", f"{limits.MANIFEST_FILE}: {what}. Correct the file.", file=limits.MANIFEST_FILE
    )


def _parse(data: bytes) -> dict[str, object]:
    if len(data) > limits.MANIFEST_BYTES:
        raise _refused(f"it is larger than {limits.MANIFEST_BYTES // 1024} KiB")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except RecursionError as error:
        raise _refused("it is nested too deeply") from error
    except ValueError as error:
        raise _refused(f"it is not TOML ({error!s:.120})") from error


def _name(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not 1 <= len(value.strip()) <= limits.NAME_LENGTH or not value.isprintable():
        raise _refused(f"name must be a text of 1 to {limits.NAME_LENGTH} printable characters")
    return value.strip()


def _protocol(value: object) -> int:
    if type(value) is not int or value not in limits.PROTOCOLS:
        raise _refused(f"protocol must be one of {', '.join(map(str, limits.PROTOCOLS))}")
    return value


def check_plays(value: object) -> tuple[str, ...]:
    """The presets a bot plays, sorted, each once. `value`: a list of preset ids.

    Raises UploadRefused upload.plays naming the unknown one and the presets there are.
    """
    if not isinstance(value, list | tuple) or not value or not all(isinstance(item, str) for item in value):
        raise UploadRefused("upload.plays", f"plays must be a list of presets out of: {', '.join(sorted(PRESETS))}.")
    unknown = [item for item in value if item not in PRESETS]
    if unknown:
        raise UploadRefused(
            "upload.plays", f"plays: there is no preset {unknown[0]!r:.60}. Choose from {', '.join(sorted(PRESETS))}."
        )
    return tuple(sorted(set(value)))
