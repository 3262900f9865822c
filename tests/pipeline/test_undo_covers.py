"""Every service that changes an event is noted, so that it can be undone, or says here why it is not."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import pytest

from tournaments import models, services
from tournaments.services.undoing_notes import UNDOABLE
from tournaments.services.undoing_rows import KINDS
from tournaments.services.undoing_words import ACTS, NEVER

READS = ("preview", "require_", "judge_", "read_", "possible_", "may_", "waiting_", "refuse_")
PARTS = frozenset({"cascade"})
"""Modules that do parts of other acts: what follows from a correction."""
NOT_NOTED = {
    "challenges.start_challenge": "of the bot's owner, who stops it",
    "challenges.stop_challenge": "decided: its decks are shown from then on",
    "policies.choose_policy": "of the bot's owner, who chooses again",
    "another.another_like": "a draft is new; call it off",
    "creating.create_tournament": "a draft is new; call it off",
    "creating.make_draft": "a draft is new; call it off",
    "importing.import_event": "a copy is new",
    "importing.judge_file": "reads",
    "importing_trf.import_report": "an event from a report is new",
    "own_ratings.claim_entry": "of the person, who gives it back",
    "own_ratings.give_back_entry": "of the person, who claims it",
    "entering.enter_bot": "of the bot's owner, who withdraws it",
    "ladders.end_ladder": "of bots: its decks are shown from then on",
    "rehearsing.rehearse_event": "in memory",
    "undoing.undo": "is the undo itself",
    "undoing_rows.put_back": "a part of the undo",
    "links.make_links": "keys: take them away",
    "links.renew_link": "a key: renew it again",
    "renewing_links.renew_captain": "a key: renew it again",
    "renewing_links.renew_slip": "a key: renew it again",
    "links.revoke_link": "a key: make another one",
    "people.new_people": "a part of entering",
    "holding.requeue_held": "of an operator; each of them is noted",
    "hooks.change_hook": "of the hook's owner, who changes it again",
    "hooks.switch_hook": "of the hook's owner, who switches it back",
    "hooks.rotate_secret": "a key: make another one",
    "hooks.end_old_secret": "a key: make another one",
    "hooks.send_test": "what was sent is sent",
    "hooks.send_again": "what was sent is sent",
    "hooks.delete_hook": "of the hook's owner, who makes another one",
    "reporting.correct_body": "a part of a correction",
    "reporting.locked": "a part of results",
    "reporting.reject_open": "a part of results",
    "reporting.take_result": "a part of results",
    "reporting.write_report": "a part of results",
    "result_sheets.blank_sheet": "reads",
    "slip_photos.send_photo": "of the side that sent it, who removes it",
    "slip_photos.remove_photo": "of a private picture: what is gone is gone",
    "team_building.build": "a part of making a team",
    "teams.say": "a part of what is done to teams",
}
"""Services with `by` that leave no note, and why."""
NOT_UNDONE = {
    models.BotPolicy: "of a bot, not of an event",
    models.Challenge: "of bots: judged once",
    models.ChallengeSet: "of bots: judged once",
    models.Follow: "of whoever follows",
    models.Notice: "what somebody was told",
    models.NoticePlan: "of whoever is told",
    models.Mailing: "a mail that was sent is sent",
    models.CalendarLink: "of whoever follows",
    models.EntryTally: "sums that the database keeps",
    models.MatchTally: "sums that the database keeps",
    models.Ruleset: "written once",
    models.Standing: "folded anew",
    models.EarlierSecret: "what was revealed stays so",
    models.EntryLink: "keys, not a part of the event: renewed or taken away",
    models.LinkRenewal: "keys, not a part of the event: renewed again",
    models.SlipPhoto: "of the side that sent it",
    models.PartnerDraw: "has its own way back, with a reason",
    models.Cursor: "how far a reader has come",
    models.CursorPlace: "how far a reader has come",
    models.StuckNews: "what a reader has still to try again",
    models.Hook: "of whoever wants to hear of things",
    models.HookSecret: "of whoever wants to hear of things",
    models.Delivery: "what was told is told",
    models.RatingPool: "of bots: folded anew",
    models.Rating: "of bots: folded anew",
    models.RatingEvent: "of bots: folded anew",
}
"""Models whose rows an undo leaves alone, and why."""


def acting() -> Iterator[str]:
    """Every public service in which somebody acts."""
    for found in (each for each in pkgutil.iter_modules(services.__path__) if each.name not in PARTS):
        module = importlib.import_module(f"tournaments.services.{found.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_own = function.__module__ == module.__name__ and not name.startswith("_")
            if is_own and not name.startswith(READS) and {"by", "hand"} & set(inspect.signature(function).parameters):
                yield f"{found.name}.{name}"


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
