"""Domain events of accounts, of the queue and of the service as a whole. Most of them are only for the audit log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.signals import AccountAct
from activity.domain_events import DomainEvent, Effect, domain_event


@domain_event
class AccountSignedUp(DomainEvent):
    topic = AccountAct.SIGN_UP.value
    words = _("signed up")


@domain_event
class PasswordChanged(DomainEvent):
    topic = AccountAct.PASSWORD.value
    words = _("changed the password")


@domain_event
class ProfileChanged(DomainEvent):
    topic = AccountAct.PROFILE.value
    words = _("changed their display settings")


@domain_event
class PasswordReset(DomainEvent):
    topic = AccountAct.RESET.value
    words = _("set a new password by mail")


@domain_event
class SessionEnded(DomainEvent):
    topic = AccountAct.END_SESSION.value
    words = _("logged out one device")


@domain_event
class SignedOutEverywhere(DomainEvent):
    topic = AccountAct.SIGN_OUT.value
    words = _("logged out everywhere")


@domain_event
class AccountExported(DomainEvent):
    topic = AccountAct.EXPORT.value
    words = _("downloaded a copy of their data")


@domain_event
class AccountDeleted(DomainEvent):
    topic = AccountAct.DELETE.value
    words = _("deleted the account")


@domain_event
class AddressChanged(DomainEvent):
    topic = AccountAct.ADDRESS.value
    words = _("changed the email address")


@domain_event
class OperatorChosen(DomainEvent):
    topic = AccountAct.OPERATOR.value
    words = _("chose whether they operate the service")


@domain_event
class AccountSuspended(DomainEvent):
    topic = "account.suspend"
    words = _("suspended the person")


@domain_event
class AccountSuspensionLifted(DomainEvent):
    topic = "account.lift"
    words = _("lifted the suspension of the person")


@domain_event
class TokenMade(DomainEvent):
    topic = AccountAct.TOKEN_MAKE.value
    words = _("made a token")


@domain_event
class TokenRevoked(DomainEvent):
    topic = AccountAct.TOKEN_REVOKE.value
    words = _("revoked a token")


@domain_event
class BackupWritten(DomainEvent):
    topic = "service.backup"
    words = _("wrote a backup")


@domain_event
class StuckNewsRetried(DomainEvent):
    topic = "news.retry"
    words = _("had failed news read again")


@domain_event
class QueueChanged(DomainEvent):
    # It only says "look again": a page that shows the queue reads the rows.
    topic = "queue.change"
    effect = Effect.NONE
