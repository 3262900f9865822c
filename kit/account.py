"""The service to talk to and the token for it: from the environment, else from what `hanami login` kept."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from platformdirs import user_config_path

from kit.errors import BadCall

SERVER: Final = "HANAMI_SERVER"
TOKEN: Final = "HANAMI_TOKEN"  # noqa: S105  # the name of a variable
FOLDER: Final = "HANAMI_CONFIG"
"""Instead of the user's own configuration folder."""


@dataclass(frozen=True, slots=True)
class Account:
    """The address of a service without a slash at its end, and a token `hf_..` for it ("" for none).

    runtime: what bots run with there, as it said at the login.
    """

    server: str
    token: str
    runtime: Mapping[str, Any] = field(default_factory=dict)


def account(server: str | None = None) -> Account:
    """Return the service to talk to. server: what was typed. Raises BadCall if none is known."""
    stored = _stored()
    address = str(server or os.environ.get(SERVER) or stored.get("server", "")).rstrip("/")
    if not address:
        raise BadCall(f"Which service? Sign in with `hanami login https://..`, or set {SERVER}.", code="kit.no_server")
    if not address.startswith(("http://", "https://")):
        raise BadCall(f"{address} is no address. Write it like https://hanami.example.org.", code="kit.no_server")
    # A kept token goes to the service that it was made for alone, not to an address typed this once.
    own = str(stored.get("token", "")) if stored.get("server") == address else ""
    return Account(address, os.environ.get(TOKEN) or own)


def require_private(server: str) -> None:
    """Raise BadCall for an address to which a token would go where others can read it.

    https, or this machine itself: what goes there passes no network.
    """
    parts = urlsplit(server)
    if parts.scheme != "https" and not _is_this_machine(parts.hostname or ""):
        message = f"A token is sent over https only, or to this machine. Write the address as https://{parts.netloc}."
        raise BadCall(message, code="kit.not_private")


def _is_this_machine(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        # No look-up: a name that resolves to 127.0.0.1 today may resolve to another machine when the token is sent.
        return ip_address(host).is_loopback
    except ValueError:
        return False


def save_account(account: Account) -> Path:
    """Keep service and token where only this user reads them."""
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    # A new file instead of the old one: an existing file would keep its mode, and a link would lead the token
    # elsewhere. O_EXCL refuses what somebody puts there in between, and 0600 holds from the first byte on.
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"server": account.server, "token": account.token, "runtime": dict(account.runtime)}, file)
    return path


def kept_runtime() -> Mapping[str, Any]:
    """Return what the service of `hanami login` runs bots with, as it said then; empty if nobody is signed in."""
    try:
        found = _stored().get("runtime")
    # Testing a bot needs no account, not even a sound one.
    except BadCall:
        return {}
    return found if isinstance(found, dict) else {}


def remove_account() -> Path | None:
    """Delete what `login` kept. Returns the file, None if there was none."""
    path = _path()
    if not path.is_file():
        return None
    path.unlink()
    return path


def _path() -> Path:
    folder = os.environ.get(FOLDER)
    return (Path(folder) if folder else user_config_path("hanami")) / "account.json"


def _stored() -> dict[str, Any]:
    path = _path()
    if not path.is_file():
        return {}
    damaged = BadCall(
        f"{path} is damaged. Delete it and sign in again with `hanami login`.", code="kit.account_damaged"
    )
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise damaged from error
    if not isinstance(found, dict):
        raise damaged
    return found
