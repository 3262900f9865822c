"""Sessions in the database, as Django keeps them; the list of devices follows a session even when its key changes."""

from __future__ import annotations

from typing import Final

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from accounts.models import SignIn
from accounts.statements import Reading

# Every page of somebody who is signed in, or plays as a guest, reads one.
_LIVING: Final = Reading(lambda key, now: Session.objects.filter(session_key=key).filter(expire_date__gt=now))


class SessionStore(db.SessionStore):
    """Django's. A session gets a new key when somebody logs in, opens a private link, or the server's key changes."""

    def _get_session_from_db(self) -> Session | None:
        found = _LIVING.first(self.session_key, timezone.now())
        if found is None:
            self._session_key = None
        return found

    def cycle_key(self) -> None:
        """Give the session a new key; its device goes along."""
        before = self.session_key
        # Together: a crash between would leave a device without session, or a session that no list can end.
        with transaction.atomic():
            super().cycle_key()
            if before is not None:
                SignIn.objects.filter(secret=before).update(secret=self.session_key)

    def flush(self) -> None:
        """End the session; it is no device any more."""
        before = self.session_key
        with transaction.atomic():
            super().flush()
            if before is not None:
                SignIn.objects.filter(secret=before).delete()
