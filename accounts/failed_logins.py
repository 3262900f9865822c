"""Failed log-ins, as django-axes writes them down: a name, an address, a browser. They go once they count no more."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from axes.models import AccessAttempt
from django.conf import settings
from django.utils import timezone

BATCH_SIZE: Final = 2_000


def purge_expired_failed_logins() -> int:
    """Delete failures that lock nothing any more, at most BATCH_SIZE. Returns how many.

    django-axes deletes them only when somebody fails again, and keeps an address meanwhile.
    """
    over = timezone.now() - timedelta(hours=settings.AXES_COOLOFF_TIME)
    rows = AccessAttempt.objects.filter(attempt_time__lte=over).order_by("attempt_time")
    gone, _by_model = AccessAttempt.objects.filter(pk__in=list(rows.values_list("pk", flat=True)[:BATCH_SIZE])).delete()
    return int(gone)
