"""Writes about people's accounts. Whoever keeps a journal hears of each in its transaction (accounts/signals.py)."""

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.signals import account_changed

PROFILE = ("display_name", "language", "time_zone", "theme", "cards", "letter_keys")


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
        with transaction.atomic():
            user.save()
    except IntegrityError as taken:
        raise ValidationError(_("This name is taken. Choose another one."), code="name.taken") from taken
    account_changed.send(User, verb="account.sign_up", user=user, before={}, after={"name": username})
    return user


@transaction.atomic
def change_password(*, user: User, password: str) -> User:
    """Set a new password; sessions of the old one end. Raises ValidationError for one that is too weak."""
    password_validation.validate_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])
    account_changed.send(User, verb="account.password", user=user, before={}, after={})
    return user


@transaction.atomic
def sign_out_everywhere(*, user: User) -> User:
    """End every session of this account; whoever calls may keep their own."""
    row = User.objects.select_for_update().get(pk=user.pk)
    row.signed_out += 1
    row.save(update_fields=["signed_out"])
    account_changed.send(User, verb="account.sign_out", user=row, before={}, after={})
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
) -> None:
    """Keep what the account page may change. What is the same already is not written down."""
    words = {"display_name": display_name, "language": language, "time_zone": time_zone, "theme": theme}
    wanted: dict[str, str | bool] = {**words, "cards": cards, "letter_keys": letter_keys}
    _keep(user, wanted)


@transaction.atomic
def choose_cards(*, user: User, cards: str) -> None:
    """Keep how cards look to somebody."""
    _keep(user, {"cards": cards})


def _keep(user: User, wanted: dict[str, str | bool]) -> None:
    """Write these parts of the profile, and say which of them changed."""
    rows = User.objects.select_for_update().filter(pk=user.pk)
    before = dict(rows.values(*PROFILE)[0])
    rows.update(**wanted)
    changed = [name for name in PROFILE if name in wanted and before[name] != wanted[name]]
    if changed:
        shown = [{name: values[name] for name in changed if name == "display_name"} for values in (before, wanted)]
        after = {**shown[1], "changed": changed}
        account_changed.send(User, verb="account.profile", user=user, before=shown[0], after=after)
