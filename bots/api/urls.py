"""Addresses of bots in the API. What matches say about them is in `tournaments.api.urls`."""

from django.urls import URLPattern, URLResolver, path

from bots.api import bots, runtime, sources, versions

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/runtime", runtime.Runtime.as_view(), name="api-runtime"),
    path("v1/bots", bots.Bots.as_view(), name="api-bots"),
    path("v1/bots/<slug:slug>", bots.OneBot.as_view(), name="api-bot"),
    path("v1/bots/<slug:slug>/versions", versions.Versions.as_view(), name="api-versions"),
    path("v1/bots/<slug:slug>/versions/<int:n>", versions.OneVersion.as_view(), name="api-version"),
    path("v1/bots/<slug:slug>/versions/<int:n>/log", versions.VersionLog.as_view(), name="api-version-log"),
    path("v1/bots/<slug:slug>/versions/<int:n>/source", sources.VersionSource.as_view(), name="api-version-source"),
    path("v1/bots/<slug:slug>/versions/<int:n>:recheck", versions.VersionRecheck.as_view(), name="api-recheck"),
    path("v1/bots/<slug:slug>/versions/<int:n>:publish", sources.VersionPublish.as_view(), name="api-publish"),
    path("v1/bots/<slug:slug>/versions/<int:n>:unpublish", sources.VersionUnpublish.as_view(), name="api-unpublish"),
    path("v1/bots/<slug:slug>/versions/<int:n>:fork", sources.VersionFork.as_view(), name="api-fork"),
    path("v1/bots/<slug:slug>/versions/<int:n>:<slug:verb>", versions.VersionAct.as_view(), name="api-version-act"),
]
