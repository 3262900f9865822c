"""Things that embedded mode makes for itself: the data folder, a secret key, the place of the private Redis socket.

Standard library only: `scripts/run` uses it before anything is installed.
"""

import contextlib
import hashlib
import os
import secrets
import stat
import tempfile
from pathlib import Path


class PrivateFolderProblem(RuntimeError):
    """The folder for sockets belongs to someone else; the message says which and what to do."""


def private_folder(data_dir: Path) -> Path:
    """Return a short folder only this user can enter, the same for every process that shares `data_dir`; it may not
    exist yet.

    A socket's path may have about 108 bytes, so it cannot live under a deep checkout.
    Raises PrivateFolderProblem if someone else owns the folder of that name.
    """
    tag = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:10]
    folder = Path(tempfile.gettempdir()) / f"hanami-{os.getuid()}-{tag}"
    try:
        # lstat, not stat: somebody else may have put a link of this name into the shared folder for temporary files.
        seen = folder.lstat()
    except FileNotFoundError:
        return folder
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.getuid() or stat.S_IMODE(seen.st_mode) != 0o700:
        raise PrivateFolderProblem(f"{folder} belongs to someone else; remove it or set TMPDIR to a folder of your own")
    return folder


def make_private_folder(data_dir: Path) -> Path:
    """Make the folder of `private_folder`, if it is not there, and return it."""
    private_folder(data_dir).mkdir(mode=0o700, exist_ok=True)
    return private_folder(data_dir)


def make_data_dir(data_dir: Path) -> None:
    """Make the data folder, for this user alone: it holds the database, and mails whose links open accounts."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)


def wheels_mark(kit_dir: Path) -> Path:
    """Return the file that is there from the start of `make run` until the first wheels of `/kit/` are built."""
    return kit_dir / ".building"


def redis_socket(data_dir: Path) -> Path:
    """Return the path on which the embedded Redis of this data folder listens."""
    return private_folder(data_dir) / "redis.sock"


def secret_key(data_dir: Path) -> str:
    """Return the installation's own secret, made on first use and readable by its owner only."""
    path = data_dir / "secret_key"
    if not path.exists():
        make_data_dir(data_dir)
        # Written whole beside its place, then linked: of several processes starting at once one wins, none sees half.
        descriptor, draft = tempfile.mkstemp(dir=data_dir, prefix=".secret_key")
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(64))
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        os.unlink(draft)
    return _complete_key(path)


def _complete_key(path: Path) -> str:
    """Return the stored key. Raises PrivateFolderProblem for one cut short by a full disk or a crash."""
    key = path.read_text(encoding="ascii").strip()
    if len(key) < 50:
        raise PrivateFolderProblem(f"{path} is damaged; delete it to get a new key (everyone has to log in again)")
    return key
