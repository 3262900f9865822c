"""Addresses that a hook may name, and machines that it may reach (decision 0058).

The address that a person types is checked by its form. The addresses of its name are checked at every sending, all of
them, and the connection is then made to the checked one: a name that means another machine the next time gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from core.errors import TournamentError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
MAX_LENGTH: Final = 500
USUAL_PORTS: Final = {"http": 80, "https": 443}
VISIBLE: Final = re.compile(r"[!-~]+")
HOST: Final = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?\.?|[0-9a-f:.]+")

# Ports above 1023 that browsers refuse (fetch.spec.whatwg.org, "bad port"), and those of databases and caches.
OTHERS_PORTS: Final = frozenset(
    {1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900}
    | {6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9200, 10080, 10250, 11211, 27017}
)

# The registries of special-purpose addresses (RFC 6890 and iana.org/assignments/iana-ipv[46]-special-registry).
NOT_PUBLIC: Final[tuple[Network, ...]] = tuple(
    ipaddress.ip_network(each)
    for each in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
    )
)
# All else of IPv6 is local, mapped (::ffff:0:0/96), translated (64:ff9b::/96), multicast, or not given to anybody.
GLOBAL_V6: Final = ipaddress.IPv6Network("2000::/3")


class Unreachable(Exception):
    """A sending that cannot be made, or came to nothing. `code`: what the owner of the hook reads."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a hook. host: in ASCII, an IPv6 address without brackets. path: with the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def receiver(self) -> str:
        """The machine as people name it, whose pace all hooks to it share: "example.org:443"."""
        return f"{self._named}:{self.port}"

    @property
    def host_header(self) -> str:
        """The header Host."""
        return self._named if self.port == USUAL_PORTS[self.scheme] else self.receiver

    @property
    def _named(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def _refusal(why: str) -> TournamentError:
    return TournamentError(why, code="hook.bad_url", extra={"field": "url"})


def read_url(url: str) -> Target:
    """Return the target of an address that a person typed. Raises TournamentError "hook.bad_url"."""
    url = url.strip()
    if not url or len(url) > MAX_LENGTH or not VISIBLE.fullmatch(url):
        raise _refusal(_("Write an address of at most 500 characters without spaces, like https://example.org/hanami."))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as wrong:
        raise _refusal(_("This is not a valid address. Write one like https://example.org/hanami.")) from wrong
    if parts.scheme not in USUAL_PORTS:
        raise _refusal(_("The address must begin with https:// or http://."))
    # Any @, not only a password: "https://good.example@evil.example" reads as one host and means the other.
    if "@" in parts.netloc:
        raise _refusal(_("Leave the name and the password out of the address: our requests are signed."))
    if parts.fragment:
        raise _refusal(_("Leave out the part after #: it is never sent."))
    port = USUAL_PORTS[parts.scheme] if port is None else port
    _require_port(port, parts.scheme)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, _host(parts), port, path)


def _require_port(port: int, scheme: str) -> None:
    is_usual = port in USUAL_PORTS.values()
    if not is_usual and (port < 1024 or port in OTHERS_PORTS):
        message = _(
            "We send nothing to port %(port)s. Use %(usual)s, or a port from 1024 upwards that no other service uses."
        )
        raise _refusal(message % {"port": port, "usual": USUAL_PORTS[scheme]})


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    if not host or not HOST.fullmatch(host) or len(host) > 253:
        raise _refusal(_("The address contains no host name. Write one like https://example.org/hanami."))
    # An address in the place of a name is checked at once: a person learns of it now and not at the first sending.
    literal = _written(host)
    if literal is not None and not is_allowed(literal):
        raise _refusal(_("We send nothing to this host: its address is not on the public internet."))
    return host


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _written(host: str) -> Address | None:
    """Return the address that a host stands for without a look-up: also as one number, and as the name localhost.

    2130706433 and 127.1 are 127.0.0.1 for the library that connects.
    """
    name = host.rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return ipaddress.IPv4Address("127.0.0.1")
    try:
        return _literal(name) or ipaddress.IPv4Address(socket.inet_aton(name))
    except OSError:
        return None


@cache
def _opened(networks: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(each, strict=False) for each in networks)


def is_allowed(address: Address) -> bool:
    """Return whether a hook may reach this address: one of the public internet, or of a network the operator opened."""
    if any(address in network for network in _opened(tuple(settings.HOOK_NETWORKS))):
        return True
    if address.version == 6 and address not in GLOBAL_V6:
        return False
    # Our own list as well: `is_global` of an older Python counts some of these networks as public.
    return address.is_global and not any(address in network for network in NOT_PUBLIC)


async def resolve(target: Target) -> str:
    """Return the address to connect to. Raises Unreachable "address.refused".

    If any address of the name is refused, all are: nobody honest mixes them. A name that means nothing is refused with
    the same code: another one would tell the owner of a hook which names our own network knows.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as unknown:
        raise Unreachable("address.refused") from unknown
    addresses = [str(sockaddr[0]) for _family, _type, _protocol, _name, sockaddr in found]
    if not addresses:
        raise Unreachable("address.refused")
    for each in addresses:
        # Without the zone of a link-local address ("fe80::1%eth0").
        literal = _literal(each.partition("%")[0])
        if literal is None or not is_allowed(literal):
            raise Unreachable("address.refused")
    return addresses[0]
