"""Forms that ask for the password of the signed-in person, and what else ends with an old password."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.tokens import live

TOKENS: Final = "tokens"


class OwnPassword(forms.Form):
    """The password of the owner: somebody who only finds a session open gets no further."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        # Hashing is bounded, and so is what one request may ask of it.
        max_length=4096,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text=_("This address can be used to set a new password, so only you may change it."),
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._owner = owner

    def clean_password(self) -> str:
        """Return the password. Raises ValidationError "account.wrong_password"."""
        given = str(self.cleaned_data["password"])
        if not self._owner.check_password(given):
            message = _("The password is wrong. Nothing was changed. (account.wrong_password)")
            raise ValidationError(message, code="account.wrong_password")
        return given


class AddressForm(OwnPassword):
    """An address for mail, and the password. wants_address: False where mail is to end."""

    field_order = ("address", "password")
    address = forms.EmailField(
        label=_("Address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "spellcheck": "false", "autocapitalize": "none"}),
        help_text=_("Only for the news you choose and for a forgotten password. Nobody else sees it."),
    )

    def __init__(self, *args: Any, wants_address: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not wants_address:
            shown = self.fields["address"]
            # Any text will do where mail ends: an address that is invalid today must not stand in the way.
            self.fields["address"] = forms.CharField(
                label=shown.label, required=False, widget=shown.widget, help_text=shown.help_text
            )

    def refuse(self, message: str, code: str) -> None:
        """Put a refusal beside the field."""
        self.add_error("address", ValidationError(message, code=code))


def offer_to_end_tokens(form: forms.Form, user: User) -> None:
    """Add a ticked box to the form of a new password, where there are tokens: a thief's programs end with the old
    one.
    """
    if live(user).exists():
        form.fields[TOKENS] = forms.BooleanField(
            label=_("Revoke my tokens, too"),
            required=False,
            initial=True,
            help_text=_("Programs that use them stop working. If you leave this unticked, they continue to work."),
        )


def ends_tokens(form: forms.Form) -> bool:
    """Return whether the valid form asks for it."""
    return bool(form.cleaned_data.get(TOKENS, False))
