"""The settings of an event as event files say them (`tournament.policies`), and the columns that keep them here.

A copy repeats what its file says word by word: files of other versions name settings that are no columns here, or leave
some out, and a copy's export is the file again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from tournaments.models import Tournament
from tournaments.models.settings import MAX_LEADER_ROUNDS

Policies = Mapping[str, Any]
CHOICES: Final[Mapping[str, Collection[str]]] = {
    "who": Tournament.Who.values,
    "draws": Tournament.Draws.values,
    "partners": Tournament.Partners.values,
    "apart": Tournament.Apart.values,
}


def policies_of(event: Tournament) -> dict[str, Any]:
    """What a file says of the event's settings; nothing of what is as it is on its own."""
    if event.is_copy:
        return dict(event.settings_as_imported)
    said = {
        "draws": event.draws,
        "partners": event.partners,
        "apart": event.apart,
        "pairs": event.separated_pairs,
        "leaders": "" if event.leaders is None else str(event.leaders),
        "rated": event.rated,
        "boards": event.boards,
        "team_score": event.team_score,
        "team_best": event.team_best,
        "board_by": event.board_by if event.board_by != Tournament.BoardBy.POINTS else "",
        "report": event.fide_report,
        "challenge": event.is_challenge,
    }
    kept: dict[str, Any] = {"who": event.who, **{name: value for name, value in said.items() if value}}
    if event.official_deal_sets is not None:
        kept["official"] = {"deal_sets": event.official_deal_sets}
    return {**kept, **event.policies}


def columns_from(policies: Policies) -> dict[str, Any]:
    """The columns of an event of which a file says this. Values that are unknown here count as not said.

    policies: as `core.interchange.documents.policies.check` lets it pass. An official ladder comes from no file.
    """
    leaders = str(policies.get("leaders", ""))
    return {
        **{name: _known(policies, name, values) for name, values in CHOICES.items()},
        "separated_pairs": [list(pair) for pair in policies.get("pairs", ())],
        "leaders": int(leaders) if leaders in map(str, range(MAX_LEADER_ROUNDS + 1)) else None,
        "rated": policies.get("rated") is True,
        "fide_report": dict(policies.get("report", {})),
        "is_challenge": "challenge" in policies,
        **_teams(policies),
    }


def _known(policies: Policies, name: str, values: Collection[str]) -> str:
    found = policies.get(name)
    return str(found if found in values else getattr(Tournament(), name))


def _teams(policies: Policies) -> dict[str, Any]:
    """How teams whose members sit apart score; nothing where a team shares a side."""
    boards = policies.get("boards", 0)
    if not boards:
        return {}
    score = policies.get("team_score", Tournament.TeamScore.SUM)
    return {
        "boards": boards,
        "team_score": score,
        "team_best": policies.get("team_best", 0) if score == Tournament.TeamScore.BEST else 0,
        "board_by": policies.get("board_by", Tournament.BoardBy.POINTS),
    }
