"""Forms of webhooks. They check shape only, `webhooks.actions` the rest."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from tournaments.models import Hook
from tournaments.webhooks.actions import KEEP_HOURS, MAX_HOURS, HookPlan
from tournaments.webhooks.event_types import webhook_kinds
from tournaments.webhooks.queries import watchable


class HookForm(forms.Form):
    """Form of a webhook. watch: "mine", "followed", "event:<slug>" or "bot:<slug>" of what is one's own."""

    name = forms.CharField(label=_("What it is for"), max_length=60, help_text=_("“our club's chat”, “my statistics”"))
    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        widget=forms.URLInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("A host on the public internet, like https://example.org/hanami. We send it POST requests."),
    )
    kinds = forms.MultipleChoiceField(
        label=_("Send when"),
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: webhook_kinds().items(),
    )
    watch = forms.ChoiceField(
        label=_("Subject"), help_text=_("Mine are events I run, my bots, my comparisons, and tables I play at.")
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._things = watchable(owner)
        watch = self.fields["watch"]
        if isinstance(watch, forms.ChoiceField):
            wide = [(Hook.Watch.MINE.value, _("everything of mine")), (Hook.Watch.FOLLOWED.value, _("what I follow"))]
            watch.choices = [*wide, *((key, thing.name) for key, thing in self._things.items())]

    def plan(self) -> HookPlan:
        """Return what was asked for."""
        chosen = self.cleaned_data
        watch, thing = chosen["watch"], self._things.get(chosen["watch"])
        if thing is not None:
            watch = watch.partition(":")[0]
        return HookPlan(chosen["name"], chosen["url"], chosen["kinds"], watch, thing)


def filled(hook: Hook) -> dict[str, Any]:
    """Return what the form of a webhook begins with."""
    watch = str(hook.watch)
    if hook.tournament is not None:
        watch = f"event:{hook.tournament.slug}"
    elif hook.bot is not None:
        watch = f"bot:{hook.bot.slug}"
    return {"name": hook.name, "url": hook.url, "kinds": hook.kinds, "watch": watch}


class RotateForm(forms.Form):
    """Form of how long the previous secret goes on."""

    keep_hours = forms.IntegerField(
        label=_("Hours for which the old secret still works"), min_value=0, max_value=MAX_HOURS, initial=KEEP_HOURS
    )
