"""Writes about people's accounts."""

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User


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
    return user


def save_profile(*, user: User, display_name: str, language: str, theme: str, letter_keys: bool) -> None:
    """Keep what the account page may change."""
    User.objects.filter(pk=user.pk).update(
        display_name=display_name, language=language, theme=theme, letter_keys=letter_keys
    )
