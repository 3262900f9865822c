"""Digests: once a day, at the reader's morning, one mail of everything they chose to receive that way."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone

from accounts.zones import zone_named
from tournaments.models import Mailing, Notice

MORNING: Final = time(7)
# Readers of one zone whose digests are made in one transaction.
BATCH_SIZE: Final = 500


def waiting() -> QuerySet[Any]:
    """Return notices for digests that are in none yet, with `zone`: the reader's time zone, "" for UTC."""
    # An empty text is no zone, but Coalesce stops only at NULL.
    of_account = NullIf(F("reader__time_zone"), Value(""), output_field=CharField())
    return Notice.objects.filter(how=Notice.How.DIGEST, mailing=None).annotate(
        zone=Coalesce(of_account, F("reader__notice_plan__time_zone"), Value(""), output_field=CharField())
    )


def make_digests(now: datetime | None = None) -> int:
    """Make a digest for everybody whose morning has come and for whom something waits from before it. Returns how many.

    What comes after seven waits for the next morning. After an outage the first digest has everything.
    """
    made = 0
    for name in waiting().order_by().values_list("zone", flat=True).distinct():
        zone = zone_named(name) or ZoneInfo("UTC")
        morning = morning_before(now or timezone.now(), zone)
        while some := _make(name, morning):
            made += some
    return made


def morning_before(now: datetime, zone: ZoneInfo) -> datetime:
    """Return the last seven o'clock of a zone's wall clocks. An hour that summer time skips is the one after it."""
    here = now.astimezone(zone)
    today = datetime.combine(here.date(), MORNING, zone)
    return today if today <= here else datetime.combine(here.date() - timedelta(days=1), MORNING, zone)


@transaction.atomic
def _make(name: str, morning: datetime) -> int:
    """Make the next digests of a zone. One per reader and day: the unique row holds for every process."""
    source = source_of(morning.date())
    waits = waiting().filter(zone=name, at__lt=morning)
    late = waits.exclude(reader__mailings__source=source).order_by("reader").values_list("reader", flat=True)
    readers = list(late.distinct()[:BATCH_SIZE])
    mails = [Mailing(reader_id=reader, source=source, is_digest=True, due_at=timezone.now()) for reader in readers]
    # Another sender may have made one since the list was read; its row is found by the query below and filled, too.
    Mailing.objects.bulk_create(mails, ignore_conflicts=True)
    mine = dict(Mailing.objects.filter(source=source, reader__in=readers).values_list("reader", "pk"))
    for reader, mail in mine.items():
        Notice.objects.filter(how=Notice.How.DIGEST, mailing=None, reader=reader, at__lt=morning).update(mailing=mail)
    return len(readers)


def source_of(day: date) -> str:
    """Name the digest of a day."""
    return f"digest:{day.isoformat()}"
