"""The forms of a bot: shape only. `bots.services.upload_version` judges the bytes."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.alphabet import ByName
from accounts.models import User
from bots.emblems import Colour
from bots.licences import Licence
from bots.models import Bot
from bots.templatetags.hanami import card_name
from bots.uploads.limits import ENTRY_FILE, UPLOAD_BYTES
from engine.cards import CODES
from engine.games import PRESETS
from web.presets import preset_title

PASTED: Final = ENTRY_FILE
CODE: Final = {"class": "code", "rows": 12, "spellcheck": "false", "autocapitalize": "off", "wrap": "off"}


def card_choices() -> Iterator[tuple[str, str]]:
    """Yield the cards of emblems with their names, first none, which leaves it to the bot's name."""
    yield "", gettext("chosen by the name")
    for code in CODES:
        yield code, card_name(code)


class EmblemForm(forms.Form):
    """The card and the colour of an emblem; empty: by the bot's name."""

    emblem_card = forms.ChoiceField(label=_("Card of the emblem"), choices=card_choices, required=False)
    emblem_colour = forms.ChoiceField(
        label=_("Colour of the emblem"), choices=[("", _("chosen by the name")), *Colour.choices], required=False
    )


class NameForm(forms.Form):
    """The name of a bot."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_(
            "The address of the bot follows while it has no version. Later it stays, so that links keep working."
        ),
    )


class ForkForm(forms.Form):
    """The name of a fork."""

    name = forms.CharField(label=_("Name of the new bot"), max_length=60)


class PublishForm(forms.Form):
    """The licence under which a source is published, out of those that the bot may have. None is chosen before."""

    licence = forms.ChoiceField(label=_("Licence"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, licences: Iterable[Licence], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["licence"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(each.id, each.name) for each in licences]


class UploadForm(EmblemForm):
    """A file or pasted source, for a new bot or as a new version of an own one."""

    bot = forms.ModelChoiceField(
        label=_("Bot"), queryset=Bot.objects.none(), required=False, empty_label=_("a new bot")
    )
    name = forms.CharField(label=_("Name of the new bot"), max_length=60, required=False)
    way = forms.ChoiceField(
        label=_("How to upload"),
        choices=[("paste", _("Paste")), ("file", _("File"))],
        required=False,
        widget=forms.RadioSelect,
    )
    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        help_text=_("One .py file, or a .zip with bot.py at the top level. Drop it here or choose it."),
    )
    source = forms.CharField(
        label=_("Source code"),
        required=False,
        help_text=_("Python 3.11, standard library and numpy; no network, no files, no threads"),
        strip=False,
        max_length=UPLOAD_BYTES,
        widget=forms.Textarea(attrs=CODE),
    )
    plays = forms.MultipleChoiceField(
        label=_("Plays"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        # The page says what it showed: only then can a change of the author be told from what was ticked before.
        show_hidden_initial=True,
        help_text=_(
            "The presets that this version plays. Unless you change the ticks, a hanami.toml in the .zip decides. With "
            "none ticked and none listed: as the version before, and for a new bot Hawaii and Paradise."
        ),
    )
    note = forms.CharField(
        label=_("Note"), max_length=200, required=False, help_text=_("Optional: what changed. Everybody can read it.")
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.has_bots = False
        bot = self.fields["bot"]
        if isinstance(bot, forms.ModelChoiceField):
            bot.queryset = Bot.objects.filter(owner=owner, remote=False).order_by(ByName("name"), "pk")
            self.has_bots = bot.queryset.exists()
        plays = self.fields["plays"]
        if isinstance(plays, forms.MultipleChoiceField):
            plays.choices = [(preset, preset_title(preset)) for preset in PRESETS]

    def clean(self) -> dict[str, Any]:
        """Exactly one of file and source; `way` chooses, for the other tab may still hold what was there before."""
        data = super().clean() or {}
        if data.get("way") == "paste":
            data["file"] = None
        elif data.get("way") == "file":
            data["source"] = ""
        has_file, has_source = data.get("file") is not None, bool(str(data.get("source") or "").strip())
        if has_file == has_source:
            wanted = "file" if has_file or data.get("way") == "file" else "source"
            problem = _("Upload a file or paste the source, not both.")
            if not has_file:
                problem = _("Choose the file to upload.") if wanted == "file" else _("Paste the source of the bot.")
            self.add_error(wanted, forms.ValidationError(problem, code="upload.one_source"))
        return data

    def upload(self) -> tuple[str, bytes]:
        """The file name and the bytes that were sent."""
        file = self.cleaned_data.get("file")
        if isinstance(file, UploadedFile):
            return str(file.name), file.read(UPLOAD_BYTES + 1)
        return PASTED, str(self.cleaned_data["source"]).replace("\r\n", "\n").encode()
