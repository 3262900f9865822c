"""Rules for paths in an upload. Decided on the bytes of the name: nothing is decoded, repaired or joined."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bots.localization import gettext_noop, localized
from bots.uploads import limits
from bots.uploads.refusal import UploadRefused, shown

_PART = re.compile(rb"[A-Za-z0-9_][A-Za-z0-9_-]*", re.ASCII)
_FILE = re.compile(rb"([A-Za-z0-9_][A-Za-z0-9_-]*)\.([A-Za-z0-9]+)", re.ASCII)
_MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def check_path(raw: bytes) -> str:
    """The path as text, `folder/file.ext` with forward slashes.

    Raises UploadRefused: upload.name, upload.extension, upload.link (a folder entry), upload.shadow.
    """
    name = shown(raw)
    if raw.endswith(b"/"):
        message = gettext_noop(
            "%(name)s is a folder entry. Pack files only, for example with `zip -D -X bot.zip bot.py`."
        )
        raise UploadRefused("upload.link", localized(message, name=name), file=name)
    *folders, file = raw.split(b"/")
    matched = _FILE.fullmatch(file)
    if matched is None or not all(_PART.fullmatch(folder) for folder in folders):
        raise _bad_name(name)
    if len(raw) > limits.PATH_LENGTH or len(folders) >= limits.PATH_PARTS:
        message = gettext_noop(
            "%(name)s is too long or too deep: at most %(length)s characters and %(depth)s folders. Rename it."
        )
        text = localized(message, name=name, length=limits.PATH_LENGTH, depth=limits.PATH_PARTS - 1)
        raise UploadRefused("upload.name", text, file=name)
    stem, extension = matched[1].decode("ascii"), matched[2].decode("ascii")
    parts = [folder.decode("ascii") for folder in folders] + [stem]
    _check_extension(name, extension)
    _check_devices(name, parts)
    if extension == "py":
        _check_module(name, parts)
    return raw.decode("ascii")


def _bad_name(name: str) -> UploadRefused:
    message = gettext_noop(
        "%(name)s is not an allowed file name: use ASCII letters, digits, _ and -, folders split by /, "
        "one extension, no drive, no .., no leading slash. Rename it."
    )
    return UploadRefused("upload.name", localized(message, name=name), file=name)


def _check_extension(name: str, extension: str) -> None:
    if extension not in limits.EXTENSIONS | limits.LEFT_OUT:
        allowed = " ".join(sorted(limits.EXTENSIONS))
        message = gettext_noop(
            "%(name)s: we do not accept files of type .%(type)s. Allowed: %(allowed)s. Leave it out."
        )
        text = localized(message, name=name, type=extension, allowed=allowed)
        raise UploadRefused("upload.extension", text, file=name)


def _check_devices(name: str, parts: list[str]) -> None:
    for part in parts:
        if part.lower() in limits.DEVICE_NAMES:
            message = gettext_noop("%(name)s: %(part)s is a reserved device name. Rename it.")
            raise UploadRefused("upload.name", localized(message, name=name, part=part), file=name)


def _check_module(name: str, parts: list[str]) -> None:
    """A Python file must be importable by its name and may not hide a module that the bot gets from us."""
    if not all(_MODULE.fullmatch(part) for part in parts):
        message = gettext_noop("%(name)s cannot be imported: use letters, digits and _ only.")
        raise UploadRefused("upload.name", localized(message, name=name), file=name)
    if parts == ["bot"]:
        return
    # In lower case as well: on a file system that ignores case Random.py would hide the module random.
    if parts[0].lower() in limits.RESERVED_MODULES or parts[0] in limits.RESERVED_MODULES:
        message = gettext_noop(
            "%(name)s would hide the module %(module)s, which bots import from Hanami. Rename the file or folder."
        )
        raise UploadRefused("upload.shadow", localized(message, name=name, module=parts[0]), file=name)


def check_together(paths: Iterable[str]) -> None:
    """Refuse names that are the same when case is ignored, and a module that is a folder as well."""
    seen: dict[str, str] = {}
    for path in paths:
        # Two names that differ in case alone are one file on an author's Mac or Windows machine.
        other = seen.setdefault(path.lower(), path)
        if other is not path:
            message = gettext_noop(
                "%(name)s and %(other)s are the same name when upper and lower case are ignored. Keep one."
            )
            raise UploadRefused("upload.duplicate", localized(message, name=path, other=other), file=path)
    folders = {lower.rsplit("/", depth)[0] for lower in seen for depth in range(1, lower.count("/") + 1)}
    for lower, path in seen.items():
        if lower.endswith(".py") and lower[:-3] in folders:
            message = gettext_noop("%(name)s and the folder %(folder)s/ clash. Rename one.")
            raise UploadRefused("upload.duplicate", localized(message, name=path, folder=path[:-3]), file=path)
