"""Every service that changes an event is noted, so that it can be undone, or says here why it is not."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

import tournaments
from tests.tournaments.standings.test_adjusting import a_night_with_results
from tournaments import models
from tournaments.undo import row_images
from tournaments.undo.recorder import UNDOABLE
from tournaments.undo.row_images import KINDS
from tournaments.undo.words import ACTS, NEVER

READS = ("preview", "require_", "validate_", "read_", "possible_", "may_", "waiting_", "refuse_")
ABOVE = frozenset({"api", "management", "migrations", "models", "pages", "templatetags"})
PARTS = frozenset({"progress.corrections.cascade"})
"""Modules that do parts of other acts: what follows from a correction."""
NOT_NOTED = {
    "interchange.imports.event.write": "a copy is new",
    "scores.reports.take_back_no_shows": "a part of a result",
    "interchange.imports.trf.enter": "an event from a report is new",
    "interchange.imports.trf.write": "an event from a report is new",
    "interchange.imports.rows.write": "a part of an import",
    "interchange.imports.rows.write_teams": "a part of an import",
    "lifecycle.transitions.act": "a part of what is done to states",
    "lifecycle.transitions.may": "reads",
    "lifecycle.opening.open_event": "the event is new",
    "progress.draws.draw.open_stage": "a part of starting an event",
    "progress.draws.draw.write_draw": "a part of starting an event",
    "progress.stations.fill": "a part of a call, or of what follows from a result",
    "progress.stages.begin": "a part of drawing a stage",
    "ratings.ladders.house.open_ladder": "of the service",
    "ratings.ladders.house.take_out": "of the bot's owner, who chooses again",
    "ratings.history.steps": "reads",
    "comparisons.actions.start_challenge": "of the bot's owner, who stops it",
    "comparisons.actions.stop_challenge": "decided: its decks are shown from then on",
    "ratings.bot_policies.choose_policy": "of the bot's owner, who chooses again",
    "interchange.clone.clone_tournament": "a draft is new; call it off",
    "events.create.create_tournament": "a draft is new; call it off",
    "events.create.make_draft": "a draft is new; call it off",
    "interchange.imports.actions.import_event": "a copy is new",
    "interchange.imports.actions.validate_file": "reads",
    "interchange.imports.trf_actions.import_report": "an event from a report is new",
    "ratings.actions.claim_entry": "of the person, who gives it back",
    "ratings.actions.readmit_entry": "of the person, who claims it",
    "entries.bots.enter_bot": "of the bot's owner, who withdraws it",
    "ratings.ladders.actions.end_ladder": "of bots: its decks are shown from then on",
    "simulation.actions.rehearse_event": "in memory",
    "progress.undo.undo": "is the undo itself",
    "undo.row_images.put_back": "a part of the undo",
    "undo.belongings.return_belongings": "a part of the undo",
    "undo.belongings.move_belongings": "a part of naming a substitute, and of the undo",
    "entries.links.make_links": "keys: take them away",
    "entries.links.renew_link": "a key: renew it again",
    "notifications.push.subscriptions.unsubscribe": "of a browser, whose reader switches it on again",
    "seasons.access.give_season_role": "of a season: take it away",
    "seasons.access.take_season_role": "of a season: give it again",
    "seasons.closing.close_season": "of a season: reopen it",
    "seasons.closing.make_next_season": "of a season that is new",
    "seasons.closing.reopen_season": "of a season: close it again",
    "seasons.events.accept_event": "of a season, whose table follows: remove it",
    "seasons.events.add_event": "of a season, whose table follows: remove it",
    "seasons.events.remove_event": "of a season, whose table follows: add it again",
    "seasons.events.weigh_event": "of a season, whose table follows: weigh it again",
    "seasons.people.assign_division": "of a season: assign them again",
    "seasons.people.merge_people": "of a season, with an undo of its own",
    "seasons.people.separate_person": "of a season, with an undo of its own",
    "seasons.people.undo_identity": "is the undo of a season",
    "seasons.set_up.change_season": "of a form: change it back",
    "seasons.set_up.create_season": "a season is new",
    "registration.own.renew_link": "a key: renew it again",
    "scores.renewed_slips.renew_captain": "a key: renew it again",
    "scores.renewed_slips.renew_slip": "a key: renew it again",
    "entries.links.revoke_link": "a key: make another one",
    "invitations.links.make_invitation_link": "a key: end it",
    "invitations.links.end_invitation_link": "a key: make another one",
    "invitations.links.opened": "a part of inviting",
    "invitations.people.invite_person": "what somebody was told: withdraw it",
    "invitations.people.invite_addresses": "a mail that was sent is sent: withdraw it",
    "invitations.people.send_invitation_again": "a mail that was sent is sent",
    "invitations.people.withdraw_invitation": "invite them again",
    "entries.people.new_people": "a part of entering",
    "entries.people.enter": "a part of entering",
    "entries.people.record_person": "a part of what is done to people",
    "progress.waiting_list.record": "a part of what makes room",
    "pairing.constraints_actions.locked_for_draws": "a part of what changes the draw",
    "pairing.constraints_actions.record_change": "a part of what changes the draw",
    "progress.rounds.publish_drawn": "a part of drawing a round",
    "registration.set_up.set_up_registration": "of a form: change it back; answers that went with a question are gone",
    "registration.decide.note_payment": "a tick: take it off again",
    "ranking.set_prizes.set_prizes": "of a form, which shows who would win before anybody sees it: change it back",
    "ranking.set_prizes.mark_category": "ticks: take them off again",
    "registration.register.let_in": "a part of registering and approving",
    "registration.register.record": "a part of what is done to registrations",
    "operations.quarantine.requeue_quarantined": "of an operator; each of them is noted",
    "webhooks.actions.change_hook": "of the hook's owner, who changes it again",
    "webhooks.actions.switch_hook": "of the hook's owner, who switches it back",
    "webhooks.actions.rotate_secret": "a key: make another one",
    "webhooks.actions.end_old_secret": "a key: make another one",
    "webhooks.actions.send_test": "what was sent is sent",
    "webhooks.actions.send_again": "what was sent is sent",
    "webhooks.actions.delete_hook": "of the hook's owner, who makes another one",
    "scores.actions.correct_body": "a part of a correction",
    "scores.actions.locked": "a part of results",
    "scores.actions.sent_before": "reads",
    "scores.reports.confirm_report": "a part of results",
    "scores.reports.reject_open": "a part of results",
    "scores.actions.take_acceptance": "a part of results",
    "scores.rows.enter_row": "enters or confirms, which are noted",
    "scores.rows.enter_seen": "enters, which is noted",
    "scores.rows.rule_seen": "decides, which is noted",
    "scores.actions.take_result": "a part of results",
    "scores.reports.write_report": "a part of results",
    "floor.result_sheets.blank_sheet": "reads",
    "scores.photos.send_photo": "of the side that sent it, who removes it",
    "scores.photos.remove_photo": "of a private picture: what is gone is gone",
    "entries.team_building.build": "a part of making a team",
    "entries.teams.record_team_act": "a part of what is done to teams",
}
"""Services with `by` that leave no note, and why."""
OF_SEASONS = (
    models.Season,
    models.SeasonDivision,
    models.SeasonEvent,
    models.SeasonIdentity,
    models.SeasonPerson,
    models.SeasonResult,
    models.SeasonRole,
)
NOT_UNDONE = {
    models.BirthYear: "private: not copied into notes; it goes with its entry",
    models.RegisteredTeam: "of the people who register; it goes with its captain",
    models.TeamPlace: "of the people who register",
    **dict.fromkeys(OF_SEASONS, "of a season, not of an event"),
    **dict.fromkeys((models.LadderMedal, models.LadderSeason), "follows from the table of a ladder that is over"),
    models.PushSubscription: "of the reader's browser",
    models.PushMessage: "what was sent is sent",
    models.BotPolicy: "of a bot, not of an event",
    models.Challenge: "of bots: judged once",
    models.ChallengeSet: "of bots: judged once",
    models.Follow: "of people who follow",
    models.ClubMember: "of people who join, and leave again",
    models.Notice: "what somebody was told",
    models.NoticePlan: "of people who are notified",
    models.Mailing: "a mail that was sent is sent",
    models.CalendarLink: "of people who follow",
    models.ClubTally: "sums that the database keeps",
    models.EntryTally: "sums that the database keeps",
    models.MatchTally: "sums that the database keeps",
    models.Ruleset: "written once",
    models.Standing: "recalculated",
    models.EarlierSecret: "what was revealed stays so",
    models.RegistrationSettings: "of a form, which its organiser changes back",
    models.PrizeSettings: "of a form, which its organiser changes back",
    models.PrizeCategory: "of a form, which its organiser changes back",
    models.Prize: "of a form, which its organiser changes back",
    models.Question: "of a form, which its organiser changes back",
    models.RegistrationAnswer: "of the person who registered",
    models.EntryLink: "keys, not a part of the event: renewed or taken away",
    models.InvitationLink: "keys, not a part of the event: ended and made",
    models.Invitation: "of people who look: withdrawn by organisers, answered by them",
    models.LinkRenewal: "keys, not a part of the event: renewed again",
    models.SlipPhoto: "of the side that sent it",
    models.PartnerDraw: "has its own way back, with a reason",
    models.Cursor: "how far a reader has come",
    models.CursorPlace: "how far a reader has come",
    models.StuckNews: "what a reader has still to try again",
    models.Hook: "of people who subscribe",
    models.HookSecret: "of people who subscribe",
    models.Delivery: "what was told is told",
    models.RatingPool: "of bots: recalculated",
    models.Rating: "of bots: recalculated",
    models.RatingEvent: "of bots: recalculated",
}
"""Models whose rows an undo leaves alone, and why."""


def acting() -> Iterator[str]:
    """Every public service in which somebody acts."""
    for found in capability_modules():
        module = importlib.import_module(f"tournaments.{found}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_own = function.__module__ == module.__name__ and not name.startswith("_")
            if is_own and not name.startswith(READS) and {"by", "actor"} & set(inspect.signature(function).parameters):
                yield f"{found}.{name}"


def capability_modules() -> Iterator[str]:
    """`capability.module` of every module that stands below pages and API."""
    for package in pkgutil.iter_modules(tournaments.__path__):
        if package.ispkg and package.name not in ABOVE:
            path = [f"{each}/{package.name}" for each in tournaments.__path__]
            inside = pkgutil.walk_packages(path, f"tournaments.{package.name}.")
            names = (each.name.removeprefix("tournaments.") for each in inside if not each.ispkg)
            yield from (name for name in names if name not in PARTS)


def test_every_service_is_noted_or_says_why_not() -> None:
    found = set(acting())
    assert len(found) > 25
    assert sorted(found - set(UNDOABLE) - set(NOT_NOTED)) == []
    assert sorted(set(UNDOABLE) - found) == [], "the decorator stands over something else"


def test_every_act_has_words() -> None:
    assert sorted(set(UNDOABLE.values()) - set(ACTS)) == []
    assert sorted(set(NEVER) - set(ACTS)) == []


@pytest.mark.parametrize("model", [getattr(models, name) for name in models.__all__])
def test_every_row_is_put_back_or_left_alone_on_purpose(model: type) -> None:
    is_put_back = model in {kind.model for kind in KINDS}
    assert is_put_back != (model in NOT_UNDONE)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_an_image_says_of_every_column_what_the_row_holds() -> None:
    """All that a database makes of times, keys, truth and JSON on the way through one query."""
    event = a_night_with_results()
    nothing: row_images.Image = {kind.name: {} for kind in KINDS}
    told = row_images.changes_between(row_images.read(event), nothing)
    for kind in KINDS:
        rows = {str(row.pk): _columns(kind, row) for row in kind.of(event)}
        assert told.get(kind.name, {}).get("gone", {}) == rows, kind.name
    assert {"Tournament", "Entry", "Round", "Match", "Seat", "ResultReport"} <= told.keys()


def _columns(kind: row_images.Kind, row: Any) -> dict[str, Any]:
    found = {field.attname: getattr(row, field.attname) for field in kind.fields}
    texts = {name: value.isoformat() for name, value in found.items() if isinstance(value, datetime)}
    return found | texts | {name: str(value) for name, value in found.items() if isinstance(value, UUID)}
