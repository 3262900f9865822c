"""Form of a new token: what it is for, what it may do, how long, and for what alone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.tokens import SCOPES, Bound
from bots.models import Bot
from tournaments.models import Tournament

DAYS: Final = (
    ("30", _("30 days")),
    ("7", _("7 days")),
    ("90", _("90 days")),
    ("365", _("a year")),
    ("", _("for ever")),
)
MAX_LISTED: Final = 100


class TokenForm(forms.Form):
    """Form of a token; it checks shape only, `accounts.tokens.make_token` the rest. bound: "event:<slug>" or
    "bot:<slug>" of one's own.
    """

    name = forms.CharField(label=_("What it is for"), max_length=60, help_text=_("“my laptop”, “the club's screen”"))
    scopes = forms.MultipleChoiceField(
        label=_("It may"),
        widget=forms.CheckboxSelectMultiple,
        choices=[(scope, scope) for scope in SCOPES],
        help_text=_("Give only what the program needs. A token can never do more than you."),
    )
    days = forms.ChoiceField(label=_("Expires after"), choices=DAYS, required=False, initial="30")
    bound = forms.ChoiceField(label=_("Only for this"), required=False)

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._things = things_of(owner)
        choices = [(key, thing.name) for key, thing in self._things.items()]
        bound, scopes = self.fields["bound"], self.fields["scopes"]
        if isinstance(bound, forms.ChoiceField):
            bound.choices = [("", _("everything of mine")), *choices]
        if isinstance(scopes, forms.MultipleChoiceField):
            # The scope does nothing for others: it is not offered to them.
            shown = {scope: words for scope, words in SCOPES.items() if scope != "admin" or owner.is_staff}
            scopes.choices = [
                (scope, format_html("<span>{}</span> <code>{}</code>", words, scope)) for scope, words in shown.items()
            ]

    def expires_at(self) -> datetime | None:
        """Return when the token ends; None: never."""
        days = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=int(days)) if days else None

    def bound_to(self) -> Bound | None:
        """Return the one thing it is for; None: all."""
        return self._things.get(self.cleaned_data["bound"])


def things_of(owner: User) -> dict[str, Bound]:
    """Return what a token of this person may be bound to: events they run, their bots; the newest hundred of each."""
    # distinct: a person with two roles in an event joins it twice.
    events = Tournament.objects.filter(roles__user=owner).distinct().order_by("-pk")[:MAX_LISTED]
    bots = Bot.objects.filter(owner=owner).order_by("-pk")[:MAX_LISTED]
    found = {f"event:{event.slug}": Bound("event", event.uuid, event.name) for event in events}
    return found | {f"bot:{bot.slug}": Bound("bot", bot.uuid, bot.name) for bot in bots}
