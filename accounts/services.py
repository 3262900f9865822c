"""Writes about people's accounts. Receivers of the signals hear of each in its transaction (accounts/signals.py)."""

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.errors import AccountError
from accounts.locking import lock_account
from accounts.models import User
from accounts.resetting import save_password
from accounts.signals import AccountAct, account_changed

PROFILE = ("display_name", "language", "time_zone", "theme", "cards", "backs", "letter_keys")


@transaction.atomic
def sign_up(*, username: str, password: str) -> User:
    """Make an account. The form has checked the name and the password; both are checked again here.

    Raises django.core.exceptions.ValidationError for a password that is too weak, and "name.taken" for a name that
    somebody took since the form looked.
    """
    user = User(username=username)
    password_validation.validate_password(password, user)
    user.set_password(password)
    try:
        # A savepoint: on PostgreSQL the failed insert would spoil the transaction around it.
        with transaction.atomic():
            user.save()
    except IntegrityError as taken:
        raise ValidationError(_("This name is taken. Choose another one."), code="name.taken") from taken
    account_changed.send(User, verb=AccountAct.SIGN_UP, user=user, before={}, after={"name": username})
    return user


@transaction.atomic
def change_password(*, user: User, password: str, end_tokens: bool = True) -> User:
    """Set a new password; sessions of the old one end. end_tokens: and so do tokens.

    Raises ValidationError for one that is too weak, AccountGone.
    """
    password_validation.validate_password(password, user)
    row = save_password(user, password, end_tokens=end_tokens)
    account_changed.send(User, verb=AccountAct.PASSWORD, user=row, before={}, after={})
    return row


@transaction.atomic
def sign_out_everywhere(*, user: User) -> User:
    """End every session of this account; the caller may keep their own. Raises AccountGone."""
    row = lock_account(user)
    row.signed_out += 1
    row.save(update_fields=["signed_out"])
    account_changed.send(User, verb=AccountAct.SIGN_OUT, user=row, before={}, after={})
    return row


@transaction.atomic
def set_operator(*, user: User, by: User, staff: bool, all_rights: bool = False) -> User:
    """Make somebody an operator, or take that role away. all_rights: they may also make others operators.

    Raises AccountError "account.not_superuser", "account.last_superuser" (the service keeps one), "account.closed".
    """
    # Everybody with every right, in one order: two who take it from each other at once would each count on the other.
    list(User.objects.select_for_update(no_key=True).filter(Q(is_superuser=True) | Q(pk=user.pk)).order_by("pk"))
    row = User.objects.get(pk=user.pk)
    if not row.is_active:
        raise AccountError(_("This account is closed, so it cannot operate the service."), code="account.closed")
    # Read again: the session may be older than the loss of the right.
    if not User.objects.filter(pk=by.pk, is_active=True, is_superuser=True).exists():
        raise AccountError(_("Only a person with every right can make operators."), code="account.not_superuser")
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=row.pk)
    if row.is_superuser and not (staff and all_rights) and not others.exists():
        message = _("The service needs at least one person with every right. Give that right to somebody else first.")
        raise AccountError(message, code="account.last_superuser")
    before = {"staff": row.is_staff, "all_rights": row.is_superuser}
    after = {"staff": staff, "all_rights": staff and all_rights}
    if before != after:
        row.is_staff, row.is_superuser = after["staff"], after["all_rights"]
        row.save(update_fields=["is_staff", "is_superuser"])
        account_changed.send(User, verb=AccountAct.OPERATOR, user=row, by=by, before=before, after=after)
    return row


@transaction.atomic
def save_profile(
    *,
    user: User,
    display_name: str,
    language: str,
    theme: str,
    letter_keys: bool,
    time_zone: str = "",
    cards: str = "",
    backs: str = "",
) -> None:
    """Store what the account page may change. What is the same already is not written into the audit. Raises
    AccountGone.
    """
    words = {"display_name": display_name, "language": language, "time_zone": time_zone, "theme": theme}
    wanted: dict[str, str | bool] = {**words, "cards": cards, "backs": backs, "letter_keys": letter_keys}
    _save(user, wanted)


@transaction.atomic
def choose_cards(*, user: User, cards: str, backs: str = "") -> None:
    """Store how cards look to a person. backs: "" leaves them as they are."""
    _save(user, {"cards": cards, "backs": backs} if backs else {"cards": cards})


def _save(user: User, wanted: dict[str, str | bool]) -> None:
    """Write these parts of the profile, and say which of them changed."""
    row = lock_account(user)
    before = {name: getattr(row, name) for name in PROFILE}
    User.objects.filter(pk=row.pk).update(**wanted)
    changed = [name for name in PROFILE if name in wanted and before[name] != wanted[name]]
    if changed:
        # The audit has names others see; language, zone and theme are nobody else's business.
        shown = [{name: values[name] for name in changed if name == "display_name"} for values in (before, wanted)]
        after = {**shown[1], "changed": changed}
        account_changed.send(User, verb=AccountAct.PROFILE, user=user, before=shown[0], after=after)
