"""Addresses of the API: resources of version 1, their schema, their documentation."""

from django.urls import URLPattern, URLResolver, path
from drf_spectacular.views import SpectacularJSONAPIView

from tournaments.api import views
from tournaments.api.docs import api_docs
from tournaments.api.files import Files

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/presets", views.Presets.as_view(), name="api-presets"),
    path("v1/tournaments", views.Tournaments.as_view(), name="api-tournaments"),
    path("v1/tournaments/<slug:slug>", views.TournamentDetail.as_view(), name="api-tournament"),
    path("v1/tournaments/<slug:slug>/entries", views.Entries.as_view(), name="api-entries"),
    path("v1/tournaments/<slug:slug>/rounds", views.Rounds.as_view(), name="api-rounds"),
    path("v1/tournaments/<slug:slug>/matches", views.Matches.as_view(), name="api-matches"),
    path("v1/tournaments/<slug:slug>/standings", views.Standings.as_view(), name="api-standings"),
    path("v1/tournaments/<slug:slug>/files/<str:name>", Files.as_view(), name="api-file"),
    path("v1/matches/<uuid:uuid>", views.MatchDetail.as_view(), name="api-match"),
    path("v1/records/<uuid:uuid>", views.Record.as_view(), name="api-record"),
    path("schema", SpectacularJSONAPIView.as_view(), name="api-schema"),
    path("docs/", api_docs, name="api-docs"),
]
