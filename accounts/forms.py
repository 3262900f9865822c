"""The forms of people's accounts. They check shape and words; `accounts.services` writes."""

import re
from collections.abc import Collection
from typing import Any, Final

from django import forms
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.errors import AccountSuspended
from accounts.models import User
from accounts.zones import MAX_LENGTH, zone_named
from core.printable import is_printable

USERNAME: Final = re.compile(r"^[a-zA-Z][a-zA-Z0-9_-]{1,29}$")
# Names that could pass for the service, or for a part of its addresses.
RESERVED: Final = frozenset({"admin", "hanami", "house", "me", "new", "root", "staff", "system"})


class ZoneField(forms.CharField):
    """The name of a time zone: "Europe/Paris". The page includes `_zones.html`, which offers some."""

    def __init__(self, **kwargs: Any) -> None:
        offered = {"list": "zones", "autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        super().__init__(max_length=MAX_LENGTH, widget=forms.TextInput(attrs=offered), **kwargs)

    def clean(self, value: Any) -> str:
        """Return the zone's own spelling of the name. Raises ValidationError "zone.unknown"."""
        name = str(super().clean(value)).strip()
        if name and zone_named(name) is None:
            message = _("There is no time zone “%(name)s”. Write it like Europe/Paris, Asia/Tokyo or UTC.")
            raise ValidationError(message, code="zone.unknown", params={"name": name})
        return name


class LogInForm(AuthenticationForm):
    """Name and password. A person who knows the password of a suspended account is told why it is closed; nobody else
    is.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")

    def get_invalid_login_error(self) -> ValidationError:
        """Return one message for a wrong name and a wrong password; it stands beside the password, which is typed
        again.
        """
        # Not which of the two: that would tell a stranger which names exist.
        message = _("The user name and password do not match. Both are case-sensitive; please try again.")
        return ValidationError({"password": ValidationError(message, code="auth.wrong")})

    def clean(self) -> dict[str, Any]:
        """Check as Django does, and show the reason of a suspension."""
        try:
            return super().clean()
        except AccountSuspended as closed:
            raise ValidationError(str(closed), code=closed.code, params={"reason": closed.reason}) from closed


class SignUpForm(BaseUserCreationForm[User]):
    """A new account: the name is part of an address (`/u/<name>/`), so it is plain ASCII."""

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": _("User name")}
        help_texts = {
            "username": _(
                "2 to 30 letters, digits, - or _, beginning with a letter. It becomes part of your page’s address."
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.update(autocomplete="username", maxlength=30, spellcheck="false")
        self.fields["password2"].label, self.fields["password2"].help_text = _("Repeat password"), ""
        self.fields["password1"].help_text = _("At least 8 characters; common passwords are refused.")

    def clean_username(self) -> str:
        """Return the name, if it may be taken; compared without regard to case."""
        name = str(self.cleaned_data["username"])
        if not USERNAME.match(name):
            raise ValidationError(_("Use 2 to 30 letters, digits, - or _, beginning with a letter."), code="name.form")
        is_reserved = name.lower() in RESERVED or name.lower().startswith("gone-")  # deleted accounts are called so
        if is_reserved or User.objects.filter(username__iexact=name).exists():
            raise ValidationError(_("This name is taken. Choose another one."), code="name.taken")
        return name


class ProfileForm(forms.ModelForm[User]):
    """The settings of how a person appears and how the site looks to them."""

    class Meta:
        model = User
        fields = ("display_name", "language", "time_zone", "theme", "cards", "backs", "letter_keys")
        widgets = {"theme": forms.RadioSelect}
        help_texts = {
            "display_name": _("Leave empty to show your user name."),
            "letter_keys": _(
                "/ goes to the search field, ? shows the keyboard shortcuts. Switch them off if they get in your way."
            ),
        }

    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=(("", _("as set in my browser")), ("en", "English"), ("ja", "日本語"), ("fr", "Français")),
    )

    cards = forms.ChoiceField(
        label=_("Card pictures"),
        required=False,
        choices=(("", _("as last chosen in this browser")), *User.Cards.choices),
        widget=forms.RadioSelect,
    )
    backs = forms.ChoiceField(
        label=_("Card backs"),
        required=False,
        choices=(("", _("as last chosen in this browser")), *User.Backs.choices),
        widget=forms.RadioSelect,
    )
    time_zone = ZoneField(
        label=_("Time zone"),
        required=False,
        help_text=_("Type a city and choose from the list. Left empty: your browser's time zone."),
    )

    def clean_display_name(self) -> str:
        """Return the name shown to others, without spaces around it. Raises ValidationError for invisible
        characters.
        """
        name = str(self.cleaned_data["display_name"]).strip()
        if not is_printable(name):
            raise ValidationError(_("The name holds invisible characters. Type it again."), code="name.invisible")
        return name


class ProfilePart(ProfileForm):
    """The settings of one page.

    part: their names, of `accounts.services.PROFILE`; the others are left as they are. zone: that of the browser, which
    counts while the field is empty.
    """

    def __init__(self, *args: Any, part: Collection[str], zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].widget.attrs["placeholder"] = zone
        for name in set(self.fields) - set(part):
            del self.fields[name]


class CardsForm(forms.Form):
    """The look of cards."""

    cards = forms.ChoiceField(label=_("Card pictures"), choices=User.Cards.choices)
    backs = forms.ChoiceField(label=_("Card backs"), choices=User.Backs.choices, required=False)


class ResetForm(forms.Form):
    """The address that the link for a forgotten password goes to."""

    address = forms.EmailField(
        label=_("Address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "spellcheck": "false", "autocapitalize": "none"}),
        help_text=_("The address that you confirmed for your account."),
    )
