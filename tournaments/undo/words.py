"""The words of undoing: names of acts, the end of the time in which they can be undone, and reasons against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.phrasing import labelled
from tournaments.models import Entry, Match, Role, Round, Stage, Tournament

ACTS: Final[Mapping[str, str | Promise]] = {
    "publish": gettext_lazy("the event was announced"),
    "open": gettext_lazy("the entries were opened"),
    "edit": gettext_lazy("the description of the event was changed"),
    "plan": gettext_lazy("the set-up of the event was changed"),
    "edit_entry": gettext_lazy("an entry was corrected: %(name)s"),
    "start": gettext_lazy("the event was started and drawn"),
    "pause": gettext_lazy("the event was paused"),
    "resume": gettext_lazy("the event resumed"),
    "cancel": gettext_lazy("the event was cancelled"),
    "archive": gettext_lazy("the event was archived"),
    "clock": gettext_lazy("the clock was changed"),
    "withdraw": gettext_lazy("%(name)s was withdrawn"),
    "add": gettext_lazy("entered: %(name)s"),
    "approve": gettext_lazy("registrations were approved: %(n_entry)s"),
    "refuse": gettext_lazy("registrations were refused"),
    "add_list": gettext_lazy("people entered from a list: %(n_entry)s"),
    "check_in": gettext_lazy("%(name)s was checked in or out"),
    "check_in_all": gettext_lazy("everybody was checked in: %(n_entry)s"),
    "leave": gettext_lazy("%(name)s left the event"),
    "bring_back": gettext_lazy("%(name)s came back"),
    "sit_out": gettext_lazy("%(name)s was noted as sitting out"),
    "play_on": gettext_lazy("%(name)s was noted as playing after all"),
    "arrive": gettext_lazy("%(name)s was noted as arriving later"),
    "replace": gettext_lazy("a substitute for %(name)s was named"),
    "presence_settings": gettext_lazy("the rules on byes, late arrivals and no-shows were changed"),
    "make_team": gettext_lazy("a team was made"),
    "break_team": gettext_lazy("the team %(name)s was taken apart"),
    "rename_team": gettext_lazy("the team %(name)s was renamed"),
    "substitute": gettext_lazy("a substitute was named"),
    "lineup": gettext_lazy("the line-up of %(name)s was changed"),
    "draw_partners": gettext_lazy("partners were drawn"),
    "undo_partners": gettext_lazy("a draw of partners was undone"),
    "give_role": gettext_lazy("%(username)s was given a role: %(role)s"),
    "take_role": gettext_lazy("a role of %(username)s was taken away: %(role)s"),
    "age_gap": gettext_lazy("the rule about the ages of partners was changed"),
    "keep_apart": gettext_lazy("the setting for club mates was changed"),
    "leaders_meet": gettext_lazy("the number of last rounds in which the leaders meet was changed"),
    "draw_settings": gettext_lazy("the settings for the draws of a stage were changed"),
    "table_sizes": gettext_lazy("the sizes of tables were changed"),
    "pair_rule": gettext_lazy("a rule about who meets whom was changed"),
    "fix_table": gettext_lazy("the fixed table of %(name)s was changed"),
    "seed_stage": gettext_lazy("the seeding of a stage was changed"),
    "rate_event": gettext_lazy("the setting for ratings was changed"),
    "call": gettext_lazy("round %(round)s was called"),
    "call_match": gettext_lazy("table %(table)s, round %(round)s was called"),
    "call_free": gettext_lazy("waiting matches were called to free tables"),
    "tables": gettext_lazy("the number of tables was changed"),
    "draw": gettext_lazy("the next round was drawn"),
    "take_back": gettext_lazy("the draw of round %(round)s was undone"),
    "close": gettext_lazy("the final standings were confirmed"),
    "draw_stage": gettext_lazy("the next stage was drawn"),
    "void_stage": gettext_lazy("a stage that had begun was cancelled"),
    "take_back_stage": gettext_lazy("the draw of a stage was undone"),
    "enter": gettext_lazy("the result of table %(table)s, round %(round)s was entered"),
    "accept": gettext_lazy("the result of table %(table)s, round %(round)s was confirmed"),
    "accept_all": gettext_lazy("all undisputed reports of round %(round)s were confirmed"),
    "dispute": gettext_lazy("the result of table %(table)s, round %(round)s was disputed"),
    "rule": gettext_lazy("the dispute at table %(table)s, round %(round)s was decided"),
    "enter_extra": gettext_lazy("an extra deal of table %(table)s, round %(round)s was entered"),
    "accept_extra": gettext_lazy("an extra deal of table %(table)s, round %(round)s was confirmed"),
    "rule_level": gettext_lazy("the advancing entries of table %(table)s, round %(round)s were decided"),
    "draw_level_lots": gettext_lazy("lots were drawn for table %(table)s, round %(round)s"),
    "correct": gettext_lazy("the result of table %(table)s, round %(round)s was corrected"),
    "play_again": gettext_lazy("table %(table)s of round %(round)s was cancelled to be played again"),
    "adjust": gettext_lazy("%(name)s was given or deducted points: %(units)s"),
    "revoke": gettext_lazy("points given to or deducted from %(name)s were revoked: %(units)s"),
    "void": gettext_lazy("table %(table)s of round %(round)s was cancelled"),
    "zone": gettext_lazy("the time zone was changed"),
    "minutes": gettext_lazy("the length of rounds was changed"),
    "round_clock": gettext_lazy("the clock of round %(round)s was changed"),
    "announce": gettext_lazy("something was announced"),
    "unsay": gettext_lazy("an announcement was withdrawn"),
    "swap": gettext_lazy("two people swapped seats in round %(round)s"),
    "enter_rows": gettext_lazy("results were entered at several tables"),
    "reseat": gettext_lazy("people were moved to other tables in round %(round)s"),
    "enter_sheet": gettext_lazy("results of round %(round)s were entered from a list"),
    "retry": gettext_lazy("a held match was requeued"),
}
UNTIL: Final[Mapping[str, str | Promise]] = {
    "start": gettext_lazy("You can undo this until the first round has started."),
    "call": gettext_lazy("You can undo this until one of its tables sends a result."),
    "draw": gettext_lazy("You can undo this until one of its tables is called."),
    "draw_stage": gettext_lazy("You can undo this until one of its tables is called."),
    "close": gettext_lazy("You can undo this until the event is archived."),
    "void_stage": gettext_lazy("You can undo this until the stage is redrawn."),
    "lineup": gettext_lazy("You can undo this until the next action, or until the round is drawn or called."),
}
UNTIL_NEXT: Final = gettext_lazy("You can undo this until the next action, or until the table it concerns plays on.")
NEVER: Final[Mapping[str, str | Promise]] = {
    "draw_partners": gettext_lazy("The draw is public. Undo it on the page of partners, and say why."),
    "undo_partners": gettext_lazy("Everybody has read it. Draw partners again."),
    "start": gettext_lazy("Workers are already playing the matches. Pause the event, or cancel it."),
    "cancel": gettext_lazy("Its unfinished matches are void and all decks are revealed. Create a new event."),
    "draw_stage": gettext_lazy("Workers are already playing the matches. Pause the event, or cancel single matches."),
    "draw": gettext_lazy("Workers are playing its other tables. Undo the draw while none of its tables has begun."),
    "take_back": gettext_lazy("The decks of the tables that bots play are gone. Draw the round again."),
    "void": gettext_lazy("The other legs of its deals already count without it. Play it in another event."),
    "void_stage": gettext_lazy("The decks of its matches are revealed. Redraw the stage."),
    "adjust": gettext_lazy(
        "Bots keep playing in the meantime. Revoke it on the page of points given and deducted, and say why."
    ),
    "revoke": gettext_lazy("Bots keep playing in the meantime. Give the same points again, and say why."),
    "retry": gettext_lazy("A worker may already be playing it. Cancel the match if it must not count."),
}


def words_of(act: str, about: Mapping[str, Any]) -> str:
    """Describe an act in the reader's language."""
    words = str(ACTS.get(act, act))
    role = about.get("role")
    shown = dict.fromkeys(("name", "username", "role", "round", "table", "n_entry", "units"), "") | dict(about)
    shown["role"] = Role.Kind(role).label if role in Role.Kind.values else ""
    return words % shown


def until_of(act: str) -> str:
    """Describe until when it can be undone."""
    return str(UNTIL.get(act, UNTIL_NEXT))


def why_never(act: str) -> str:
    """Explain why it cannot be undone, and what to do instead."""
    return str(NEVER.get(act, _("This action cannot be undone. Do the opposite by hand.")))


def lines_of(changes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Describe what undoing does: a line for each state that goes back, and for what is taken away or returns."""
    lines = [
        line for name in KINDS if name in changes for line in (*_states(name, changes[name]), *_counts(name, changes))
    ]
    return [*lines, *_secrets(changes.get("Stage", {}))]


def _secrets(change: Mapping[str, Any]) -> Iterator[str]:
    """Warn that the secret of a stage, once shown, stays known after it is undone, and say what is done about it."""
    shown = (Stage.State.CLOSED, Stage.State.VOID)
    states = [pairs.get("state", ("", "")) for pairs in change.get("changed", {}).values()]
    if any(new in shown and old not in shown for old, new in states):
        yield _("its secret is public: from now on, draws use a new secret, which is committed now")


def _states(name: str, change: Mapping[str, Any]) -> Iterator[str]:
    if name not in NAMED:
        return
    model, path, pattern = NAMED[name]
    states = {int(pk): pairs["state"] for pk, pairs in change.get("changed", {}).items() if "state" in pairs}
    labels = dict(model.State.choices)
    for pk, *named in model._base_manager.filter(pk__in=states).order_by("pk").values_list("pk", *path):
        old, new = states[pk]
        yield labelled(str(pattern) % tuple(named), f"{labels[new]} → {labels[old]}")


def _counts(name: str, changes: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    change, kind = changes[name], str(KINDS[name])
    if n := len(change.get("made", ())):
        yield (_("%(kind)s: %(n)s no longer count") if name == "ResultReport" else _("%(kind)s: %(n)s removed")) % {
            "kind": kind,
            "n": n,
        }
    if n := len(change.get("gone", ())):
        yield _("%(kind)s: %(n)s restored") % {"kind": kind, "n": n}
    if n := sum("state" not in pairs or name not in NAMED for pairs in change.get("changed", {}).values()):
        yield _("%(kind)s: %(n)s restored to an earlier state") % {"kind": kind, "n": n}


# Rows whose states are listed one by one.
NAMED: Final[Mapping[str, tuple[Any, tuple[str, ...], str | Promise]]] = {
    "Tournament": (Tournament, ("name",), "%s"),
    "Stage": (Stage, ("order",), gettext_lazy("stage %s")),
    "Entry": (Entry, ("player__name",), "%s"),
    "Round": (Round, ("number",), gettext_lazy("round %s")),
    "Match": (Match, ("round__number", "table_no"), gettext_lazy("round %s, table %s")),
}
KINDS: Final[Mapping[str, str | Promise]] = {
    "Tournament": gettext_lazy("the event"),
    "Stage": gettext_lazy("stages"),
    "Role": gettext_lazy("roles"),
    "Entry": gettext_lazy("entries"),
    "Registration": gettext_lazy("registrations"),
    "Member": gettext_lazy("members of teams"),
    "Group": gettext_lazy("groups"),
    "Round": gettext_lazy("rounds"),
    "Match": gettext_lazy("tables"),
    "Seat": gettext_lazy("seats"),
    "RequestedBye": gettext_lazy("rounds sat out"),
    "Adjustment": gettext_lazy("adjustments"),
    "ResultReport": gettext_lazy("results"),
}
