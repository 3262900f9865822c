"""From the uploaded bytes to the files of a bot, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bots.uploads import limits
from bots.uploads.archive import read_archive
from bots.uploads.manifest import read_manifest
from bots.uploads.refusal import UploadRefused, shown
from bots.uploads.version import version_hash

_OTHER_KINDS: Final = (
    (b"\x1f\x8b", "a gzip file"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a rar archive"),
    (b"\x7fELF", "a compiled program"),
    (b"MZ", "a compiled program"),
)


@dataclass(frozen=True, slots=True)
class Upload:
    """An accepted upload: files sorted by path (`bot.py` among them); `None` = the file does not say."""

    files: tuple[tuple[str, bytes], ...]
    name: str | None
    protocol: int
    plays: tuple[str, ...] | None

    def version_hash(self, plays: tuple[str, ...]) -> str:
        """The version's hash with the presets finally decided (manifest, form or API)."""
        return version_hash(self.files, self.protocol, plays)


def read_upload(name: str, data: bytes) -> Upload:
    """Judge one uploaded file: a single `.py` (kept as bot.py) or a `.zip`.

    name: the file name as sent, only its ending is looked at. data: all its bytes.
    Raises UploadRefused (a BotError) with an "upload.*" code. Pure: nothing is written, extracted or compiled.
    """
    if not data:
        raise UploadRefused("upload.empty", "The file is empty. Choose a .py file or a .zip archive.")
    if len(data) > limits.UPLOAD_BYTES:
        raise UploadRefused(
            "upload.too_large",
            f"The file has {len(data)} bytes; at most {limits.UPLOAD_BYTES // 2**20} MiB are taken. Make it smaller.",
        )
    kind = _kind(name, data)
    files = read_archive(data) if kind == "zip" else {limits.ENTRY_FILE: data}
    _check_files(files)
    manifest = read_manifest(files.get(limits.MANIFEST_FILE))
    return Upload(tuple(sorted(files.items())), manifest.name, manifest.protocol, manifest.plays)


def _kind(name: str, data: bytes) -> str:
    """`py` or `zip`: name and content must agree."""
    lower = name.lower()
    if data[257:262] == b"ustar" or lower.endswith((".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")):
        raise _wrong_type("a tar archive, and these are not accepted")
    for magic, what in _OTHER_KINDS:
        if data.startswith(magic):
            raise _wrong_type(what)
    is_zip = data.startswith(b"PK")
    if lower.endswith(".zip") and is_zip:
        return "zip"
    if lower.endswith(".py") and not is_zip:
        return "py"
    if lower.endswith((".zip", ".py")):
        raise _wrong_type(f"named {shown(name)}, but its content is something else")
    raise _wrong_type(f"named {shown(name)}")


def _wrong_type(what: str) -> UploadRefused:
    return UploadRefused("upload.type", f"The file is {what}. Upload a single .py file or a .zip archive.")


def _check_files(files: dict[str, bytes]) -> None:
    """The rules that hold for a single file and for an archive alike."""
    if limits.ENTRY_FILE not in files:
        found = [path for path in files if path.endswith("/" + limits.ENTRY_FILE)]
        where = f" It lies at {found[0]}: pack the files without the folder around them." if found else " Add it."
        raise UploadRefused("upload.no_entry", f"There is no {limits.ENTRY_FILE} at the top of the archive.{where}")
    for path, content in files.items():
        if path.rsplit(".", 1)[1] in limits.TEXT_EXTENSIONS:
            _check_text(path, content)


def _check_text(path: str, content: bytes) -> None:
    if b"\x00" in content:
        raise UploadRefused("upload.text", f"{path} is not a text file: it contains NUL bytes.", file=path)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UploadRefused(
            "upload.text", f"{path}, line {line}: not UTF-8. Save the file as UTF-8.", file=path
        ) from error
