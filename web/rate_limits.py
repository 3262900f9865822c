"""Limits of what people do often, counted in the database: counts survive restarts and are the same for every
process.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Final

from django.db import connection
from django.utils import timezone
from django.utils.crypto import salted_hmac

from web.models import Meter


def count(name: str, *, most: int, within: timedelta) -> int | None:
    """Count one more of `name`. None while it is at most `most` in this stretch of time, else seconds until the next.

    What is refused does not count, so trying on makes nobody wait longer.
    """
    taken = take(name, most=most, within=within)
    return taken.reset_s if taken.is_over else None


def seconds_to_wait(name: str, *, most: int, within: timedelta) -> int | None:
    """Return what `count` would answer now, without counting: None, or seconds until the next one is let through."""
    # A look only, without a lock: the request that counts decides.
    found = look(name, most=most, within=within)
    return None if found.left else found.reset_s


@dataclass(frozen=True, slots=True)
class Taken:
    """Result of `take` or `look`. left: of this stretch of time; reset_s: seconds until the next; is_over: too many."""

    left: int
    reset_s: int
    is_over: bool


def take(name: str, *, most: int, within: timedelta) -> Taken:
    """Count one more of `name` in one statement, for what is counted at every request.

    What is refused does not count, so trying on makes nobody wait longer.
    """
    now = timezone.now()
    write = connection.ops.adapt_datetimefield_value
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bots_meter (name, began_at, n) VALUES (%s, %s, 1) ON CONFLICT (name) DO UPDATE SET "
            # One statement, so that two requests at once cannot both read the same n. It stops at most + 1: `n > most`
            # is enough to refuse, and a client that goes on waits no longer.
            "n = CASE WHEN bots_meter.began_at <= %s THEN 1 "
            "WHEN bots_meter.n > %s THEN bots_meter.n ELSE bots_meter.n + 1 END, began_at = CASE "
            "WHEN bots_meter.began_at <= %s THEN excluded.began_at ELSE bots_meter.began_at END "
            "RETURNING began_at, n",
            [name, write(now), write(now - within), most, write(now - within)],
        )
        began, n = cursor.fetchone()
    reset_s = max(1, round((_moment(began) + within - now).total_seconds()))
    return Taken(max(0, most - n), reset_s, n > most)


def look(name: str, *, most: int, within: timedelta) -> Taken:
    """Return how far `name` has been counted, without counting."""
    now = timezone.now()
    began, n = (Meter.objects.filter(name=name, began_at__gt=now - within).values_list("began_at", "n").first()) or (
        now,
        0,
    )
    return Taken(max(0, most - n), max(1, round((began + within - now).total_seconds())), n > most)


def _moment(value: datetime | str) -> datetime:
    """Return the moment of a column: SQLite gives text, in UTC."""
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def network_of(address: str) -> str:
    """Return what counts as one address: an IPv4 address, also one written as IPv6; the /64 of IPv6; other text as it
    is.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 6 and found.ipv4_mapped is None:
        return str(ip_network((found, 64), strict=False))
    return str(found if found.version == 4 else found.ipv4_mapped)


WIDE: Final = 4
"""Factor of what a /48 of IPv6 may do against one /64 in it: a provider gives a household up to a /48."""


def wide_network_of(address: str) -> str:
    """Return the /48 of an IPv6 address, whose holder may use 65,536 networks /64; "" for all else."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if found.version == 4 or found.ipv4_mapped is not None:
        return ""
    return str(ip_network((found, 48), strict=False))


def mark_of(address: str) -> str:
    """Return a mark of where a request comes from that does not tell it: "narrow", for IPv6 "narrow/wide" (/64 and
    /48).
    """
    found = (network_of(address), wide_network_of(address))
    # Keyed: a plain hash of an IPv4 address could be turned back by trying all four billion.
    return "/".join(salted_hmac("hanami.meter", each).hexdigest()[:24] for each in found if each)


def count_from(name: str, mark: str, *, most: int, within: timedelta) -> int | None:
    """Do `count` for where a request comes from; a wide network may do `WIDE` times as much as a narrow one. mark: of
    `mark_of`.
    """
    # A generator: the wide network is counted only if the narrow one was let through.
    waits = (count(f"{name}{each}", most=times * most, within=within) for each, times in _parts(mark))
    return next((wait for wait in waits if wait is not None), None)


def wait_from(name: str, mark: str, *, most: int, within: timedelta) -> int | None:
    """Return `seconds_to_wait` for where a request comes from, without counting."""
    waits = (seconds_to_wait(f"{name}{each}", most=times * most, within=within) for each, times in _parts(mark))
    return next((wait for wait in waits if wait is not None), None)


def take_from(name: str, mark: str, *, most: int, within: timedelta) -> Taken:
    """Do `take` for where a request comes from: what its narrow network has left, or the wide one that is over."""
    (narrow, _once), *wide = _parts(mark)
    taken = take(f"{name}{narrow}", most=most, within=within)
    # What the narrow network is refused does not count for the wide one.
    for each, times in () if taken.is_over else wide:
        around = take(f"{name}{each}", most=times * most, within=within)
        taken = around if around.is_over else taken
    return taken


def _parts(mark: str) -> list[tuple[str, int]]:
    narrow, _slash, wide = mark.partition("/")
    return [(narrow, 1), *([(wide, WIDE)] if wide else [])]


def purge_expired_meters(*, older_than: timedelta) -> int:
    """Drop counters that began longer ago than this. Returns how many."""
    gone, _by_model = Meter.objects.filter(began_at__lt=timezone.now() - older_than).delete()
    return gone
