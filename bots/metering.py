"""What people do too often, counted in the database: it survives restarts and is the same for every process."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network

from django.db import connection, transaction
from django.utils import timezone

from bots.models import Meter


@transaction.atomic
def count(name: str, *, most: int, within: timedelta) -> int | None:
    """Count one more of `name`. None while it is at most `most` in this stretch of time, else seconds until the next.

    What is refused does not count, so trying on makes nobody wait longer.
    """
    now = timezone.now()
    Meter.objects.get_or_create(name=name, defaults={"began_at": now})
    meter = Meter.objects.select_for_update().get(name=name)
    if meter.began_at + within <= now:
        meter.began_at, meter.n = now, 0
    if meter.n >= most:
        return max(1, round((meter.began_at + within - now).total_seconds()))
    meter.n += 1
    meter.save(update_fields=["began_at", "n"])
    return None


def seconds_to_wait(name: str, *, most: int, within: timedelta) -> int | None:
    """What `count` would answer now, without counting: None, or seconds until the next one is let through."""
    now = timezone.now()
    began = Meter.objects.filter(name=name, n__gte=most, began_at__gt=now - within).values_list("began_at", flat=True)
    since = began.first()
    return None if since is None else max(1, round((since + within - now).total_seconds()))


@dataclass(frozen=True, slots=True)
class Taken:
    """What `take` found. left: of this stretch of time; reset_s: seconds until the next; is_over: too many."""

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
            "n = CASE WHEN bots_meter.began_at <= %s THEN 1 "
            "WHEN bots_meter.n > %s THEN bots_meter.n ELSE bots_meter.n + 1 END, began_at = CASE "
            "WHEN bots_meter.began_at <= %s THEN excluded.began_at ELSE bots_meter.began_at END "
            "RETURNING began_at, n",
            [name, write(now), write(now - within), most, write(now - within)],
        )
        began, n = cursor.fetchone()
    reset_s = max(1, round((_moment(began) + within - now).total_seconds()))
    return Taken(max(0, most - n), reset_s, n > most)


def _moment(value: datetime | str) -> datetime:
    """SQLite gives text, in UTC."""
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def network_of(address: str) -> str:
    """What counts as one address: an IPv4 one, also written as IPv6; the /64 of IPv6; other text as it is."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 6 and found.ipv4_mapped is None:
        return str(ip_network((found, 64), strict=False))
    return str(found if found.version == 4 else found.ipv4_mapped)


def forget_meters(*, older_than: timedelta) -> int:
    """Drop counters that began longer ago than this. Returns how many."""
    gone, _by_model = Meter.objects.filter(began_at__lt=timezone.now() - older_than).delete()
    return gone
