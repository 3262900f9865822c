"""Addresses of live tables."""

from django.urls import path

from tables.pages import doing, lobby, looking

urlpatterns = [
    path("play/", lobby.lobby, name="play"),
    path("play/open/", lobby.open_page, name="play-open"),
    path("play/<uuid:uuid>/", looking.table_page, name="live-table"),
    path("play/<uuid:uuid>/view/", looking.table_view, name="live-view"),
    path("play/<uuid:uuid>/do/<slug:verb>/", doing.table_do, name="live-do"),
]
