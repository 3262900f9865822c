"""From the uploaded bytes to the files of a bot, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bots.localization import LocalizedMessage, gettext_noop, localized
from bots.runner.spec import STANDARD
from bots.uploads import limits
from bots.uploads.archive import read_archive
from bots.uploads.manifest import read_manifest
from bots.uploads.refusal import UploadRefused, shown
from bots.uploads.version import version_hash

_OTHER_KINDS: Final = (
    (b"\x1f\x8b", gettext_noop("a gzip file")),
    (b"BZh", gettext_noop("a bzip2 file")),
    (b"\xfd7zXZ\x00", gettext_noop("an xz file")),
    (b"7z\xbc\xaf\x27\x1c", gettext_noop("a 7z archive")),
    (b"Rar!", gettext_noop("a rar archive")),
    (b"\x7fELF", gettext_noop("a compiled program")),
    (b"MZ", gettext_noop("a compiled program")),
)


@dataclass(frozen=True, slots=True)
class Upload:
    """An accepted upload: files sorted by path (`bot.py` among them); `None` = the file does not say.

    clock: the id of the clock that it needs and is checked with.
    """

    files: tuple[tuple[str, bytes], ...]
    name: str | None
    protocol: int
    plays: tuple[str, ...] | None
    clock: str = STANDARD.id

    def version_hash(self, plays: tuple[str, ...]) -> str:
        """The version's hash with the presets finally decided (manifest, form or API)."""
        return version_hash(self.files, self.protocol, plays)


def read_upload(name: str, data: bytes) -> Upload:
    """Judge one uploaded file: a single `.py` (kept as bot.py) or a `.zip`.

    name: the file name as sent, only its ending is looked at. data: all its bytes.
    Raises UploadRefused (a BotError) with an "upload.*" code. Pure: nothing is written, extracted or compiled.
    """
    if not data:
        message = gettext_noop("The file is empty. Choose a .py file or a .zip archive.")
        raise UploadRefused("upload.empty", localized(message))
    if len(data) > limits.UPLOAD_BYTES:
        message = gettext_noop("The file has %(n)s bytes; the limit is %(most)s MiB. Make it smaller.")
        raise UploadRefused("upload.too_large", localized(message, n=len(data), most=limits.UPLOAD_BYTES // 2**20))
    kind = _kind(name, data)
    files = read_archive(data) if kind == "zip" else {limits.ENTRY_FILE: data}
    _check_files(files)
    manifest = read_manifest(files.get(limits.MANIFEST_FILE))
    return Upload(tuple(sorted(files.items())), manifest.name, manifest.protocol, manifest.plays, manifest.clock)


def _kind(name: str, data: bytes) -> str:
    """`py` or `zip`: name and content must agree."""
    lower = name.lower()
    # A tar archive has its mark at offset 257, behind the header of its first file.
    if data[257:262] == b"ustar" or lower.endswith((".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")):
        raise _wrong_type(localized(gettext_noop("a tar archive, which we do not accept")))
    for magic, what in _OTHER_KINDS:
        if data.startswith(magic):
            raise _wrong_type(localized(what))
    is_zip = data.startswith(b"PK")
    if lower.endswith(".zip") and is_zip:
        return "zip"
    if lower.endswith(".py") and not is_zip:
        return "py"
    if lower.endswith((".zip", ".py")):
        raise _wrong_type(
            localized(gettext_noop("named %(name)s, but its content is something else"), name=shown(name))
        )
    raise _wrong_type(localized(gettext_noop("named %(name)s"), name=shown(name)))


def _wrong_type(what: LocalizedMessage) -> UploadRefused:
    message = gettext_noop("The file is %(what)s. Upload a single .py file or a .zip archive.")
    return UploadRefused("upload.type", localized(message, what=what))


def _check_files(files: dict[str, bytes]) -> None:
    """The rules that hold for a single file and for an archive alike."""
    if limits.ENTRY_FILE not in files:
        found = [path for path in files if path.endswith("/" + limits.ENTRY_FILE)]
        message = gettext_noop("There is no %(file)s at the top of the archive. Add it.")
        if found:
            message = gettext_noop(
                "There is no %(file)s at the top of the archive. It lies at %(found)s: pack the files without the "
                "folder around them."
            )
        text = localized(message, file=limits.ENTRY_FILE, found=(found or [""])[0])
        raise UploadRefused("upload.no_entry", text)
    for path, content in files.items():
        if path.rsplit(".", 1)[1] in limits.TEXT_EXTENSIONS:
            _check_text(path, content)


def _check_text(path: str, content: bytes) -> None:
    if b"\x00" in content:
        message = gettext_noop("%(name)s is not a text file: it contains NUL bytes.")
        raise UploadRefused("upload.text", localized(message, name=path), file=path)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = gettext_noop("%(name)s, line %(line)s: not UTF-8. Save the file as UTF-8.")
        raise UploadRefused("upload.text", localized(message, name=path, line=line), file=path) from error
