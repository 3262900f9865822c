"""Form of a comparison: which two versions, by which rules, how sure the answer shall be."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from bots.models import BotVersion
from core.statistics import Hypotheses, Model
from core.statistics.duration import prospect
from core.statistics.sprt import score_of
from engine.games import PRESETS, option_table
from tournaments.comparisons import queries as challenges
from tournaments.comparisons.actions import CAPS, WIDEST, ChallengePlan
from tournaments.lifecycle.field_words import LABELS
from tournaments.models import BotPolicy

QUESTIONS: Final[dict[str, tuple[float, float]]] = {
    "clearly": (0.0, 50.0),
    "better": (0.0, 20.0),
    "harmless": (-20.0, 0.0),
}
WORDS: Final = {
    "clearly": _("Is it clearly better? 0 against +50 Elo"),
    "better": _("Is it better at all? 0 against +20 Elo"),
    "harmless": _("Is it at least not worse? −20 against 0 Elo"),
    "own": _("Custom bounds"),
}
SURE: Final = (
    ("0.05", _("wrong in 5 of 100 cases")),
    ("0.01", _("wrong in 1 of 100 cases")),
    ("0.1", _("wrong in 10 of 100 cases")),
)


def how_long(elo0: float, elo1: float, alpha: float = 0.05) -> tuple[int, int]:
    """Return about how many deal sets a test takes: of equals, and of a candidate halfway, which takes longest."""
    test = Hypotheses(elo0, elo1, alpha, alpha, Model.LOGISTIC)
    middle = (score_of(elo0) + score_of(elo1)) / 2
    return round(prospect(test, 0.5).deal_sets), round(prospect(test, middle).deal_sets)


class VersionField(forms.ModelChoiceField[BotVersion]):
    """A choice of versions by name."""

    def label_from_instance(self, obj: BotVersion) -> str:
        """Return the version as in "Plum v8 (active)"."""
        active = obj.bot.active_version_id == obj.pk
        return _now("%(version)s (active)") % {"version": obj} if active else str(obj)


class ChallengeForm(forms.Form):
    """`reference` is a version of one's own, `rival` another's bot: one of the two."""

    candidate = VersionField(label=_("Your version"), queryset=BotVersion.objects.none())
    reference = VersionField(
        label=_("Compared with"), queryset=BotVersion.objects.none(), required=False,
        empty_label=_("another person's bot, named below"),
    )  # fmt: skip
    rival = forms.CharField(
        label=_("Another person's bot"),
        required=False,
        max_length=60,
        help_text=_("The last part of its page's address. We use its active version."),
    )
    preset = forms.ChoiceField(label=_("Rules"), choices=lambda: [(each.id, each.name) for each in PRESETS.values()])
    seats = forms.TypedChoiceField(
        label=_("Seats at a table"), coerce=int, choices=[(number, number) for number in range(2, 8)], initial=2
    )
    deals = forms.IntegerField(
        label=LABELS["deals"],
        required=False,
        min_value=1,
        max_value=48,
        help_text=_("Leave empty to use the value of the rules. Fewer deals make matches quicker but less certain."),
    )
    question = forms.ChoiceField(label=_("The question"), widget=forms.RadioSelect, initial="better")
    elo0 = forms.FloatField(label=LABELS["elo0"], required=False, min_value=-WIDEST, max_value=WIDEST)
    elo1 = forms.FloatField(label=LABELS["elo1"], required=False, min_value=-WIDEST, max_value=WIDEST)
    sure = forms.ChoiceField(label=LABELS["alpha"], choices=SURE, initial="0.05")
    cap = forms.IntegerField(
        label=LABELS["cap"],
        min_value=CAPS[0],
        max_value=CAPS[-1],
        initial=1_000,
        help_text=_("If the test has not decided by then, the comparison is inconclusive."),
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner
        for name in ("candidate", "reference"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            # The choices are the check: another's version is "not one of the choices".
            field.queryset = challenges.own_versions(owner)
            field.to_field_name = "uuid"
        question = self.fields["question"]
        assert isinstance(question, forms.ChoiceField)
        question.choices = [(key, _question(key)) for key in (*QUESTIONS, "own")]

    def clean(self) -> dict[str, Any]:
        """Require one version to compare with, and both bounds where they are the person's own."""
        data = super().clean() or self.cleaned_data
        # People paste the whole address of the bot's page: its last part is the slug.
        slug = (data.get("rival") or "").strip().strip("/").rpartition("/")[2]
        if data.get("reference") is None and not slug:
            self.add_error("reference", _now("Choose one of your versions, or name another person's bot."))
        elif data.get("reference") is None:
            data["reference"] = challenges.rival(slug, self.owner)
            if data["reference"] is None:
                self.add_error("rival", _now("Nobody else has a bot of that name with an active version."))
        if data.get("question") == "own":
            for name in ("elo0", "elo1"):
                if data.get(name) is None and name not in self.errors:
                    self.add_error(name, _now("Give both bounds."))
        return data

    def plan(self) -> ChallengePlan:
        """Return the comparison that is asked for."""
        data = self.cleaned_data
        elo0, elo1 = QUESTIONS.get(data["question"], (data["elo0"], data["elo1"]))
        # Some games have no number of deals; the field is ignored for them.
        counted = any(info.id == "rounds" for info in option_table(PRESETS[data["preset"]].game))
        return ChallengePlan(
            candidate=data["candidate"],
            reference=data["reference"],
            preset=data["preset"],
            seats=data["seats"],
            options={"rounds": data["deals"]} if data["deals"] and counted else {},
            elo0=elo0,
            elo1=elo1,
            alpha=float(data["sure"]),
            beta=float(data["sure"]),
            cap=data["cap"],
        )


def _question(key: str) -> str:
    if key not in QUESTIONS:
        return str(WORDS[key])
    equal, longest = how_long(*QUESTIONS[key])
    text = _now("%(question)s (about %(equal)s deal sets; %(longest)s for a close case)")
    return text % {"question": WORDS[key], "equal": equal, "longest": longest}


class PolicyForm(forms.Form):
    """Permissions that an owner gives others, and the service, for a bot."""

    challenges = forms.ChoiceField(label=LABELS["challenges"], choices=BotPolicy.Challenges.choices)
    in_ladders = forms.BooleanField(label=_("Join official ladders automatically"), required=False)
