"""Addresses of bots. `/b/<slug>/` itself shows matches too and is in `tournaments.urls`."""

from django.urls import URLPattern, URLResolver, path

from bots.views.emblems import bot_emblem
from bots.views.naming import bot_delete, bot_name
from bots.views.publishing import bot_fork, bot_publish, bot_withdraw
from bots.views.rechecking import bot_recheck
from bots.views.source import bot_changes, bot_patch, bot_source, bot_source_file, bot_source_zip
from bots.views.uploading import bot_new
from bots.views.versions import bot_do, bot_version

urlpatterns: list[URLPattern | URLResolver] = [
    path("b/new/", bot_new, name="bot-new"),
    path("b/<slug:slug>/emblem/", bot_emblem, name="bot-emblem"),
    path("b/<slug:slug>/name/", bot_name, name="bot-name"),
    path("b/<slug:slug>/delete/", bot_delete, name="bot-delete"),
    path("b/<slug:slug>/v/<int:n>/", bot_version, name="bot-version"),
    path("b/<slug:slug>/v/<int:n>/source/", bot_source, name="bot-source"),
    path("b/<slug:slug>/v/<int:n>/source/file/", bot_source_file, name="bot-source-file"),
    path("b/<slug:slug>/v/<int:n>/source.zip", bot_source_zip, name="bot-source-zip"),
    path("b/<slug:slug>/v/<int:n>/changes/", bot_changes, name="bot-changes"),
    path("b/<slug:slug>/v/<int:n>/changes.diff", bot_patch, name="bot-patch"),
    path("b/<slug:slug>/v/<int:n>/publish/", bot_publish, name="bot-publish"),
    path("b/<slug:slug>/v/<int:n>/withdraw/", bot_withdraw, name="bot-withdraw"),
    path("b/<slug:slug>/v/<int:n>/fork/", bot_fork, name="bot-fork"),
    path("b/<slug:slug>/v/<int:n>/recheck/", bot_recheck, name="bot-recheck"),
    path("b/<slug:slug>/do/<slug:verb>/", bot_do, name="bot-do"),
]
