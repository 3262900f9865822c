"""Logging in by name and password: one password is worked on, no matter what the name is."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.errors import AccountSuspended
from accounts.models import User


class PasswordBackend(ModelBackend):
    """Django's backend, which also tells a person who knows the password why their account is closed, without a second
    check.

    Django makes an object of it for each log-in. ModelBackend stands behind it in the settings for the sessions that
    name it; it is never asked for a password.
    """

    suspended: User | None = None

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        """Return the account of this name and password.

        Raises PermissionDenied, so that no other backend is asked, and AccountSuspended.
        """
        found = super().authenticate(request, username, password, **kwargs)
        # Only the right password gets here: to anybody else a suspended account looks like a wrong password.
        if self.suspended is not None:
            message = _("An operator suspended this account: %(reason)s Write to them if you think that this is wrong.")
            raise AccountSuspended(message, reason=self.suspended.suspended_reason)
        if found is None:
            # ModelBackend, next in the settings, would hash the password again: twice the time for a wrong one.
            raise PermissionDenied
        return found

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        """Remember a suspended account. Called after the password was right, and for each session."""
        if isinstance(user, User) and user.suspended_at is not None:
            self.suspended = user
        return super().user_can_authenticate(user)
