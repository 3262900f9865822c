"""Addresses of live tables."""

from django.urls import path

from tables.pages import alike, doing, event_page, learning, lobby, looking, programs

urlpatterns = [
    path("learn/", learning.learn, name="learn"),
    path("learn/<slug:lesson>/", learning.lesson_page, name="lesson"),
    path("play/", lobby.lobby, name="play"),
    path("play/open/", lobby.open_page, name="play-open"),
    path("play/alike/", alike.alike_page, name="play-alike"),
    path("play/events/<slug:slug>/", event_page.event_tables, name="event-tables"),
    path("play/<uuid:uuid>/", looking.table_page, name="live-table"),
    path("play/<uuid:uuid>/view/", looking.table_view, name="live-view"),
    path("play/<uuid:uuid>/do/<slug:verb>/", doing.table_do, name="live-do"),
    path("programs/", programs.program_list, name="program-list"),
    path("programs/<slug:slug>/", programs.program_page, name="program"),
    path("programs/<slug:slug>/play/", programs.program_play, name="program-play"),
    path("me/programs/", programs.own_programs, name="own-programs"),
    path("me/programs/<slug:slug>/", programs.own_program, name="own-program"),
    path("me/programs/<slug:slug>/retire/", programs.own_program_retire, name="own-program-retire"),
]
