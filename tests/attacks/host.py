"""The machine around an attack: what it may want to read, contact or leave behind, and who notices."""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

MARK = "hana_breach*"
PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/var/lib", "/home", "/", ".")
PROCESS = "hanabreach"


def canary(kind: str) -> str:
    return f"CANARY-{kind}-{secrets.token_hex(3)}"


class Host:
    """Files, listeners and canaries. `breaches()` says what an attack has done to it, and cleans that up."""

    def __init__(self, *, process: str = PROCESS) -> None:
        self._process_name = process
        self.scratch = Path(tempfile.mkdtemp(prefix="hanami-attacks-"))
        self.scratch.chmod(0o777)
        self.victim_source = f"PEER = {canary('PEER')!r}\ndef choose(obs): return 0\n"
        self.environment = {"HANAMI_SECRET": canary("ENV"), "HANAMI_HIDDEN": canary("HIDDEN")}
        self._database = self.scratch / "database"
        self._database.write_text(canary("DB"))
        self._peer = self.scratch / "peer.py"
        self._peer.write_text(self.victim_source)
        self._tcp = self._listener(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        self._udp = self._listener(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self._unix = self._listener(socket.AF_UNIX, socket.SOCK_STREAM, str(self.scratch / "socket"))
        self._abstract = self._listener(socket.AF_UNIX, socket.SOCK_STREAM, f"\0hanami-{secrets.token_hex(4)}")
        (self.scratch / "socket").chmod(0o777)

    def _listener(self, family: int, kind: int, address: tuple[str, int] | str) -> socket.socket:
        listener = socket.socket(family, kind)
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        return listener

    def probe(self) -> dict[str, object]:
        """The probe data of the corpus, but for what only the worker knows (pids, uid, budgets)."""
        return {
            "hostname": socket.gethostname(),
            "db_path": str(self._database),
            "peer_path": str(self._peer),
            "scratch": str(self.scratch),
            "tcp": list(self._tcp.getsockname()),
            "udp": list(self._udp.getsockname()),
            "unix": self._unix.getsockname(),
            "abstract": self._abstract.getsockname()[1:].decode(),
        }

    def breaches(self) -> list[str]:
        """Return what happened to the machine since the last call."""
        return [*self._files(), *self._contacts(), *self._processes()]

    def _files(self) -> Iterator[str]:
        for place in (str(self.scratch), *PLACES):
            with contextlib.suppress(PermissionError):
                for path in Path(place).glob(MARK):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                    yield f"file {path}"

    def _contacts(self) -> Iterator[str]:
        listeners = (self._tcp, self._udp, self._unix, self._abstract)
        for listener in select.select(listeners, [], [], 0)[0]:
            if listener is self._udp:
                listener.recv(4096)
            else:
                listener.accept()[0].close()
            yield f"listener {listener.getsockname()} was contacted"

    def _processes(self) -> Iterator[str]:
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                name = (entry / "comm").read_text() + (entry / "cmdline").read_text()
                if self._process_name in name and state != "Z" and int(entry.name) != os.getpid():
                    yield f"process {entry.name} lives"

    def close(self) -> None:
        for listener in (self._tcp, self._udp, self._unix, self._abstract):
            listener.close()
        shutil.rmtree(self.scratch)
