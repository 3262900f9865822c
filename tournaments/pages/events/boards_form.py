"""Form fields of teams whose members sit apart."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.events.team_rules import BOARDS
from tournaments.lifecycle.field_words import LABELS, TEAM_SCORES
from tournaments.pages.events.bounds import bound


class BoardFields(forms.Form):
    """Fields of the number of a team's boards and of its ranking; none of them where teams share a side."""

    boards = forms.TypedChoiceField(
        label=LABELS["boards"],
        required=False,
        coerce=int,
        choices=[("", _("no team boards")), *[(n, str(n)) for n in BOARDS]],
        help_text=_(
            "Each member plays at a different table. At two seats the boards of two teams meet; at larger tables"
            " nobody meets a member of their own team."
        ),
    )
    team_score = forms.ChoiceField(
        label=LABELS["team_score"],
        required=False,
        choices=[*TEAM_SCORES.items()],
        help_text=_("It is fixed once entries open."),
    )
    team_best = forms.IntegerField(label=LABELS["team_best"], required=False, help_text=_("Fewer than all."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The value as sent or as first shown: the bound follows the choice also when the form comes back.
        boards = str(self["boards"].value() or "")
        bound(self, "team_best", 1, (int(boards) if boards in map(str, BOARDS) else BOARDS[-1]) - 1)

    def board_fields(self) -> list[forms.BoundField]:
        """Return the fields together."""
        return [self[name] for name in ("boards", "team_score", "team_best")]

    @property
    def boards_open(self) -> bool:
        """Return whether the page shows these fields at once."""
        return bool(self["boards"].value()) or any(field.errors for field in self.board_fields())

    def of_boards(self) -> dict[str, Any]:
        """Return the values of these fields for a plan."""
        data = self.cleaned_data
        if not data["boards"]:
            return {}
        score = data["team_score"] or "sum"
        best = (data["team_best"] or 0) if score == "best" else 0
        partners = data.get("partners") or "entered"
        return {"boards": int(data["boards"]), "team_score": score, "team_best": best, "partners": partners}
