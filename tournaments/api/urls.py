"""Addresses of the API: resources of version 1, their schema, their documentation."""

from django.urls import URLPattern, URLResolver, path

from bots.api.schema import Schema
from tournaments.api import (
    bulk,
    challenges,
    events,
    failures,
    field,
    following,
    general,
    matches,
    rounds,
    standings,
    tables,
)
from tournaments.api.docs import api_docs
from tournaments.api.files import Files

EVENT = "v1/tournaments/<slug:slug>"
urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/presets", general.Presets.as_view(), name="api-presets"),
    path("v1/rules/<slug:preset>", general.Rules.as_view(), name="api-rules"),
    path("v1/vectors", general.Vectors.as_view(), name="api-vectors"),
    path("v1/queue", general.Queue.as_view(), name="api-queue"),
    path("v1/ratings", general.Boards.as_view(), name="api-boards"),
    path("v1/ratings/<slug:preset>", general.Ratings.as_view(), name="api-ratings"),
    path("v1/challenges", challenges.Challenges.as_view(), name="api-challenges"),
    path("v1/challenges/<uuid:uuid>", challenges.OneChallenge.as_view(), name="api-challenge"),
    path("v1/challenges/<uuid:uuid>:stop", challenges.ChallengeStop.as_view(), name="api-challenge-stop"),
    path("v1/follows", following.Follows.as_view(), name="api-follows"),
    path("v1/follows/<slug:kind>/<slug:slug>", following.OneFollow.as_view(), name="api-follow"),
    path("v1/tokens", following.Tokens.as_view(), name="api-tokens"),
    path("v1/tokens/<uuid:uuid>", following.OneToken.as_view(), name="api-token"),
    path("v1/bots/<slug:slug>/failures", failures.Failures.as_view(), name="api-failures"),
    path("v1/bots/<slug:slug>/failures/<slug:id>", failures.OneFailure.as_view(), name="api-failure"),
    path("v1/tournaments", events.Tournaments.as_view(), name="api-tournaments"),
    path(EVENT, events.TournamentDetail.as_view(), name="api-tournament"),
    path(f"{EVENT}:undo", events.TournamentUndo.as_view(), name="api-tournament-undo"),
    path(f"{EVENT}:<slug:verb>", events.TournamentAct.as_view(), name="api-tournament-act"),
    path(f"{EVENT}/entries", field.Entries.as_view(), name="api-entries"),
    path(f"{EVENT}/entries/<uuid:uuid>", field.OneEntry.as_view(), name="api-entry"),
    path(f"{EVENT}/teams", field.Teams.as_view(), name="api-teams"),
    path(f"{EVENT}/teams/<uuid:uuid>", field.OneTeam.as_view(), name="api-team"),
    path(f"{EVENT}/stages", rounds.Stages.as_view(), name="api-stages"),
    path(f"{EVENT}/stages/<int:order>:<slug:verb>", rounds.StageAct.as_view(), name="api-stage-act"),
    path(f"{EVENT}/rounds", rounds.Rounds.as_view(), name="api-rounds"),
    path(f"{EVENT}/rounds/<int:number>:<slug:verb>", rounds.RoundAct.as_view(), name="api-round-act"),
    path(f"{EVENT}/tables", tables.Tables.as_view(), name="api-tables"),
    path(f"{EVENT}/matches", matches.Matches.as_view(), name="api-matches"),
    path(f"{EVENT}/standings", standings.Standings.as_view(), name="api-standings"),
    path(f"{EVENT}/crosstable", standings.Crosstable.as_view(), name="api-crosstable"),
    path(f"{EVENT}/bracket", standings.Bracket.as_view(), name="api-bracket"),
    path(f"{EVENT}/records/<str:name>", bulk.EventRecords.as_view(), name="api-event-records"),
    path(f"{EVENT}/files/<str:name>", Files.as_view(), name="api-file"),
    path("v1/tables/<uuid:uuid>", tables.OneTable.as_view(), name="api-table"),
    path("v1/tables/<uuid:uuid>/reports", tables.Reports.as_view(), name="api-reports"),
    path("v1/tables/<uuid:uuid>/reports:<slug:verb>", tables.ReportAct.as_view(), name="api-report-act"),
    path("v1/matches", matches.AllMatches.as_view(), name="api-all-matches"),
    path("v1/matches/<uuid:uuid>", matches.MatchDetail.as_view(), name="api-match"),
    path("v1/matches/<uuid:uuid>:<slug:verb>", matches.MatchAct.as_view(), name="api-match-act"),
    path("v1/records/daily", bulk.Days.as_view(), name="api-daily"),
    path("v1/records/daily/<str:day>/<str:name>", bulk.DayFile.as_view(), name="api-daily-file"),
    path("v1/records/<uuid:uuid>", matches.Record.as_view(), name="api-record"),
    path("schema", Schema.as_view(), name="api-schema"),
    path("docs/", api_docs, name="api-docs"),
]
