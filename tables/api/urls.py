"""Addresses of remote programs in the API."""

from django.urls import URLPattern, URLResolver, path

from tables.api import challenges, programs, streams, tables

TABLE = "v1/bot/tables/<uuid:uuid>"
urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/programs", programs.Programs.as_view(), name="api-programs"),
    path("v1/programs/<slug:slug>", programs.OneProgram.as_view(), name="api-program"),
    path("v1/programs/<slug:slug>:retire", programs.ProgramRetire.as_view(), name="api-program-retire"),
    path("v1/bot/stream", streams.BotStream.as_view(), name="api-bot-stream"),
    path("v1/bot/challenges", challenges.TableChallenges.as_view(), name="api-table-challenges"),
    path(
        "v1/bot/challenges/<uuid:uuid>:<slug:verb>",
        challenges.TableChallengeAct.as_view(),
        name="api-table-challenge-act",
    ),
    path("v1/bot/seeks", challenges.Seeks.as_view(), name="api-seeks"),
    path(f"{TABLE}/stream", streams.TableStream.as_view(), name="api-table-stream"),
    path(f"{TABLE}/answers", tables.TableAnswers.as_view(), name="api-table-answers"),
    path(f"{TABLE}/nonce", tables.TableNonce.as_view(), name="api-table-nonce"),
    path(f"{TABLE}:leave", tables.TableLeave.as_view(), name="api-table-leave"),
]
