"""The format holds everything: no model gains a field, a choice or a limit without somebody deciding about files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from django.conf import settings
from django.db.models import Field

from core.interchange.documents import event as doc
from core.interchange.documents import teams
from core.interchange.documents.parts import Part
from tournaments import models
from tournaments.models.settings import TournamentSettings
from tournaments.pairing.draw_settings import COLUMNS

SETTINGS = [field.name for field in TournamentSettings._meta.local_fields]
"""Columns of an event that are one part of its file, `policies`; see `tournaments.interchange.settings_document`."""
SCHEMA = Path(settings.BASE_DIR) / "docs" / "hanafuda-tournament-1.schema.json"
HELD: dict[type[Any], tuple[type[Part], dict[str, str], frozenset[str]]] = {
    models.Tournament: (doc.Tournament, dict.fromkeys(SETTINGS, "policies"), frozenset({"id", "row_version"})),
    models.Player: (doc.Player, {}, frozenset({"id", "uuid", "user", "club_key"})),
    # The table somebody keeps, and how a stage is seeded, are settings as well: they stand in the event's `policies`.
    models.Entry: (doc.Entry, {"bot_version": "version"}, frozenset({"id", "tournament", "fixed_table"})),
    models.Member: (teams.Member, {}, frozenset({"id"})),
    models.PartnerDraw: (teams.PartnerDraw, {"secret": "seed"}, frozenset({"id", "tournament"})),
    models.Stage: (
        doc.Stage,
        {"clock_figures": "clock"},
        frozenset({"id", "tournament", "seeding", "seeding_order", "seeding_ratings", *COLUMNS}),
    ),
    models.EarlierSecret: (doc.EarlierSecret, {}, frozenset({"id", "stage"})),
    models.Group: (doc.Group, {}, frozenset({"id", "stage"})),
    models.Progression: (doc.Way, {}, frozenset({"id"})),
    models.StageEntry: (doc.StageEntry, {"came_by": "came", "came_place": "came"}, frozenset({"stage"})),
    models.Adjustment: (doc.Adjustment, {"round_number": "round"}, frozenset({"stage_entry"})),
    models.Round: (doc.Round, {}, frozenset({"id", "stage"})),
    models.DealSet: (doc.DealSet, {}, frozenset({"id", "stage"})),
    models.Match: (
        doc.Match,
        {"table_no": "table"},
        frozenset(
            {"id", "stage", "lease", "priority", "faults", "fault_reason", "history", "suspects", "suspect_worker"}
        ),
    ),
    models.Seat: (
        doc.Seat,
        {"feed_match": "feed", "feed_place": "feed", "version_n": "version"},
        frozenset({"id", "match", "bot_version", "log", "log_marks"}),
    ),
    models.ResultReport: (doc.Report, {}, frozenset({"id", "match"})),
    models.Standing: (doc.Row, {"after_round": "", "input_hash": ""}, frozenset({"id", "stage", "folded_at"})),
    models.Ruleset: (doc.Ruleset, {"canonical": "options", "sha256": "hash"}, frozenset({"id"})),
}
"""Per model: its part of the document, fields that are called otherwise there, fields that are left out on purpose."""
ELSEWHERE = {
    models.Role,
    models.Follow,
    models.ClubMember,
    models.BirthYear,
    models.RegisteredTeam,
    models.TeamPlace,
    models.EntryLink,
    models.LinkRenewal,
    models.Invitation,
    models.InvitationLink,
    models.SlipPhoto,
    models.RatingPool,
    models.Rating,
    models.RatingEvent,
    models.BotPolicy,
    models.Challenge,
    models.ChallengeSet,
    models.Notice,
    models.NoticePlan,
    models.Mailing,
    models.CalendarLink,
    models.Hook,
    models.HookSecret,
    models.Delivery,
    models.Cursor,
    models.CursorPlace,
    models.StuckNews,
    models.MatchTally,
    models.EntryTally,
    models.ClubTally,
    models.Announcement,
    models.RequestedBye,
    models.PairRule,
    models.RoundClock,
    models.PushSubscription,
    models.PushMessage,
    models.LadderMedal,
    models.LadderSeason,
    models.Season,
    models.SeasonDivision,
    models.SeasonEvent,
    models.SeasonIdentity,
    models.SeasonPerson,
    models.SeasonResult,
    models.SeasonRole,
    models.Prize,
    models.PrizeCategory,
    models.PrizeSettings,
    models.RegistrationSettings,
    models.Question,
    models.Registration,
    models.RegistrationAnswer,
}
"""Who organises and who follows stays here, and keys that open somebody's day: a file gives nobody a role, and invites
nobody.
Who says that they belong to a club is told here alone.
Photos of slips are shown to few and for some weeks.

Ratings are folded again from the results, tallies counted again by the database. Who may challenge a bot is its
owner's; comparisons have their own data. Who is told, by mail, calendar or hook, is told here.

A season stands over events, and calculates its table from them. Medals follow from the final table of a ladder.

Who registered, what they were asked and answered stays with the organisers who asked.

Prizes that everybody may see are in the file, in the `policies` of the event, with their winners and nobody else.

Announcements, requested byes, rules about pairs and clocks of rounds are in the file: in the `policies` of the event.
"""


@pytest.mark.parametrize("model", HELD, ids=lambda model: model.__name__)
def test_every_field_is_in_the_file_or_left_out_on_purpose(model: type[Any]) -> None:
    part, renamed, left_out = HELD[model]
    fields = {field.name for field in model._meta.get_fields() if isinstance(field, Field)}
    told = {renamed.get(name, name) for name in fields - left_out} - {""}
    missing = told - set(part.__struct_fields__)
    assert missing == set(), "put it into core/interchange/documents/event.py, or leave it out here on purpose"


def test_every_model_is_in_the_file_or_left_out_on_purpose() -> None:
    every = {getattr(models, name) for name in models.__all__}
    assert every - set(HELD) == ELSEWHERE


@pytest.mark.parametrize("model", HELD, ids=lambda model: model.__name__)
def test_the_words_of_rows_and_files_are_the_same(model: type[Any]) -> None:
    part, renamed, _left_out = HELD[model]
    hints = get_type_hints(part)
    for field in model._meta.get_fields():
        words = get_args(hints.get(renamed.get(field.name, field.name)))
        choices = [value for value, _label in getattr(field, "choices", None) or ()]
        if choices and words and all(isinstance(word, str) for word in words):
            assert set(words) == set(choices), field.name


def test_the_published_schema_is_that_of_the_code() -> None:
    message = "write it again: json.dumps(schema(), indent=1, ensure_ascii=False)"
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == doc.schema(), message
