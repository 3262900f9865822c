"""hanami.toml: the name of a bot, its protocol, its presets and the clock that it needs."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from bots.localization import LocalizedMessage, gettext_noop, localized
from bots.runner.spec import CLOCKS, STANDARD
from bots.uploads import limits
from bots.uploads.refusal import UploadRefused
from engine.games import PRESETS

_KEYS = frozenset({"name", "protocol", "plays", "clock"})


@dataclass(frozen=True, slots=True)
class Manifest:
    """The declared facts; `None` where the file says nothing and the form or the API decides."""

    name: str | None = None
    protocol: int = 1
    plays: tuple[str, ...] | None = None
    clock: str = STANDARD.id


def read_manifest(data: bytes | None) -> Manifest:
    """The manifest in `data` (the bytes of hanami.toml), or the defaults when there is none.

    Raises UploadRefused upload.manifest (not TOML, unknown key, wrong type) or upload.plays (unknown preset).
    """
    if data is None:
        return Manifest()
    table = _parse(data)
    unknown = sorted(set(table) - _KEYS)
    if unknown:
        message = gettext_noop("unknown key %(key)s; known are %(known)s")
        raise _refused(message, key=f"{unknown[0]!r:.60}", known=", ".join(sorted(_KEYS)))
    plays = table.get("plays")
    return Manifest(
        name=_name(table.get("name")),
        protocol=_protocol(table.get("protocol", 1)),
        plays=None if plays is None else check_plays(plays),
        clock=_clock(table.get("clock", STANDARD.id)),
    )


def _refused(what: str, /, **values: str | int | LocalizedMessage) -> UploadRefused:
    """what: marked with `gettext_noop`, a format of the values."""
    message = gettext_noop("%(name)s: %(what)s. Correct the file.")
    text = localized(message, name=limits.MANIFEST_FILE, what=localized(what, **values))
    return UploadRefused("upload.manifest", text, file=limits.MANIFEST_FILE)


def _parse(data: bytes) -> dict[str, object]:
    if len(data) > limits.MANIFEST_BYTES:
        raise _refused(gettext_noop("it is larger than %(n)s KiB"), n=limits.MANIFEST_BYTES // 1024)
    try:
        return tomllib.loads(data.decode("utf-8"))
    # tomllib reads nested arrays recursively; 16 KiB of brackets exceed the interpreter's limit.
    except RecursionError as error:
        raise _refused(gettext_noop("it is nested too deeply")) from error
    except ValueError as error:
        raise _refused(gettext_noop("it is not TOML (%(why)s)"), why=f"{error!s:.120}") from error


def _name(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not 1 <= len(value.strip()) <= limits.NAME_LENGTH or not value.isprintable():
        raise _refused(gettext_noop("name must be a text of 1 to %(n)s printable characters"), n=limits.NAME_LENGTH)
    return value.strip()


def _protocol(value: object) -> int:
    # `true` of TOML is a Python bool, which equals 1.
    if type(value) is not int or value not in limits.PROTOCOLS:
        raise _refused(gettext_noop("protocol must be one of %(all)s"), all=", ".join(map(str, limits.PROTOCOLS)))
    return value


def _clock(value: object) -> str:
    if not isinstance(value, str) or value not in CLOCKS:
        raise _refused(gettext_noop("clock must be one of %(all)s"), all=", ".join(CLOCKS))
    return value


def check_plays(value: object) -> tuple[str, ...]:
    """The presets a bot plays, sorted, each once. `value`: a list of preset ids.

    Raises UploadRefused upload.plays naming the unknown one and the presets there are.
    """
    if not isinstance(value, list | tuple) or not value or not all(isinstance(item, str) for item in value):
        message = gettext_noop("plays must be a list of presets out of: %(all)s.")
        raise UploadRefused("upload.plays", localized(message, all=", ".join(sorted(PRESETS))))
    unknown = [item for item in value if item not in PRESETS]
    if unknown:
        message = gettext_noop("plays: there is no preset %(preset)s. Choose from %(all)s.")
        shown = {"preset": f"{unknown[0]!r:.60}", "all": ", ".join(sorted(PRESETS))}
        raise UploadRefused("upload.plays", localized(message, **shown))
    return tuple(sorted(set(value)))
