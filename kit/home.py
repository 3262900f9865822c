"""A bot at home: its folder, what of it is uploaded, and what the kit keeps beside it in `.hanami/`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bots.protocol.files import BotFiles
from bots.runner.spec import CLOCKS, Clock
from bots.uploads import Upload, read_upload, zip_files
from bots.uploads.limits import ENTRY_FILE, EXTENSIONS
from kit.errors import BadCall, BotFailed

FOLDER: Final = ".hanami"
"""The folder for what the kit keeps: failures, versions that were sent, which bot of which service this is."""
DEFAULT_PLAYS: Final = ("hawaii", "paradise")
"""What a bot plays that says nothing (as the service has it)."""
STAYS: Final = ("tests", "__pycache__")
"""Folders that are never uploaded."""
FAILURE: Final = re.compile(r"[Ll][1-9]\d{0,8}")
"""The id of a failure that is kept here."""
MARK: Final = ".stays-at-home"
"""A file that keeps the folder it lies in from being uploaded."""


@dataclass(frozen=True, slots=True)
class LocalBot:
    """A bot read from disk, judged as an upload is. data, filename: what would be sent."""

    path: Path
    filename: str
    data: bytes
    upload: Upload

    @property
    def name(self) -> str:
        """Return what it calls itself, else the name of its folder or file."""
        return self.upload.name or (self.path.name if self.path.is_dir() else self.path.stem)

    @property
    def plays(self) -> tuple[str, ...]:
        """The presets it plays."""
        return self.upload.plays or DEFAULT_PLAYS

    @property
    def clock(self) -> Clock:
        """The clock that it declares."""
        return CLOCKS[self.upload.clock]

    @property
    def files(self) -> BotFiles:
        """Return the bot's files and the hash that the service gives this version."""
        return BotFiles(self.upload.files, self.upload.version_hash(self.plays))


def read_bot(path: Path) -> LocalBot:
    """Read a folder, a `.py` or a `.zip` as an upload would be. Raises UploadRefused, BadCall."""
    path = path.resolve()
    if path.is_dir():
        return _read_folder(path)
    if not path.is_file():
        raise BadCall(f"There is no {path.name} here. Give a folder with a bot.py, a .py or a .zip.")
    data = path.read_bytes()
    return LocalBot(path, path.name, data, read_upload(path.name, data))


def _read_folder(folder: Path) -> LocalBot:
    if not (folder / ENTRY_FILE).is_file():
        raise BadCall(f"There is no {ENTRY_FILE} in {folder.name}/. Begin one with: hanami new mybot")
    data = zip_files((str(path.relative_to(folder).as_posix()), path.read_bytes()) for path in uploaded(folder))
    return LocalBot(folder, f"{folder.name}.zip", data, read_upload("bot.zip", data))


def uploaded(folder: Path) -> Iterator[Path]:
    """The files of a folder that belong to the bot: no hidden ones, no tests, no kinds that no bot may have."""
    # Sorted: the same files must give the same .zip. The service refuses other bytes under a key that it knows.
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir() and path.name not in STAYS and not (path / MARK).exists():
            yield from uploaded(path)
        elif path.is_file() and _belongs(path):
            yield path


def _belongs(path: Path) -> bool:
    is_test = path.suffix == ".py" and (path.stem.startswith("test_") or path.stem == "conftest")
    return path.suffix.removeprefix(".") in EXTENSIONS and not is_test


@dataclass(frozen=True, slots=True)
class Home:
    """The folder in which the kit keeps things beside a bot."""

    folder: Path

    @property
    def _path(self) -> Path:
        return self.folder / FOLDER

    @classmethod
    def of(cls, bot: LocalBot) -> Home:
        """Return the home of a bot: in its folder, beside a single file, or for a kept version the home it is kept
        in.
        """
        folder = bot.path if bot.path.is_dir() else bot.path.parent
        return cls(folder.parent.parent if folder.parent.name == FOLDER else folder)

    def save_failure(self, failure: Mapping[str, Any]) -> str:
        """Keep a failure for `hanami repro`; its id: L1, L2 .."""
        folder = self._path / "failures"
        folder.mkdir(parents=True, exist_ok=True)
        # After the largest, not after the count: a deleted failure must not give its id to another one.
        number = max((number for number, _path in _numbered(folder, "L", ".json")), default=0) + 1
        (folder / f"L{number}.json").write_text(json.dumps({**failure, "id": f"L{number}"}), encoding="utf-8")
        return f"L{number}"

    def failures(self) -> list[dict[str, Any]]:
        """The failures kept here, the newest first. Raises BotFailed."""
        return [_read_json(path) for _number, path in reversed(_numbered(self._path / "failures", "L", ".json"))]

    def failure(self, name: str) -> dict[str, Any] | None:
        """The failure kept under this id, None if there is none."""
        path = self._path / "failures" / f"{name.upper()}.json"
        # The pattern comes first: what was typed may be a path that leads out of this folder.
        return _read_json(path) if FAILURE.fullmatch(name) and path.is_file() else None

    def save_version(self, number: int, packed: bytes) -> Path:
        """Keep the .zip of what was sent as version `number`, for `hanami ab`."""
        folder = self._path / "versions"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"v{number}.zip"
        path.write_bytes(packed)
        return path

    def version(self, number: int) -> Path | None:
        """The file of a version that was sent from here, None if it was not."""
        path = self._path / "versions" / f"v{number}.zip"
        return path if path.is_file() else None

    def versions(self) -> list[int]:
        """The numbers of the versions that were sent from here."""
        return [number for number, _path in _numbered(self._path / "versions", "v", ".zip")]

    def remember(self, server: str, slug: str) -> None:
        """Note which bot of a service this is."""
        self._path.mkdir(parents=True, exist_ok=True)
        known = {**self._known(), server: slug}
        (self._path / "service.json").write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")

    def forget(self, server: str) -> None:
        """Note that this is no bot of a service any more."""
        known = {each: slug for each, slug in self._known().items() if each != server}
        if (self._path / "service.json").is_file():
            (self._path / "service.json").write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")

    def slug(self, server: str) -> str | None:
        """The address of this bot on a service, None if it was never sent there."""
        return self._known().get(server)

    def _known(self) -> dict[str, str]:
        path = self._path / "service.json"
        if not path.is_file():
            return {}
        return {server: str(slug) for server, slug in _read_json(path).items()}


def _numbered(folder: Path, letter: str, suffix: str) -> list[tuple[int, Path]]:
    """The files `L1.json`, `L2.json` .. of a folder with their numbers, in order; others are somebody else's."""
    # The folder is the author's: other files in it are left alone.
    found = [(path.stem.removeprefix(letter), path) for path in folder.glob(f"{letter}*{suffix}")]
    return sorted((int(number), path) for number, path in found if number.isdecimal())


def _read_json(path: Path) -> dict[str, Any]:
    """Return what the kit wrote there. Raises BotFailed if somebody else has been at it."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BotFailed(f"{path} is damaged. Delete it: it is a note of the kit, nothing of the bot.", code="kit.kept")
    return found
