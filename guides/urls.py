"""Addresses of the guides."""

from django.urls import URLPattern, URLResolver, path

from guides import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("docs/", views.index, name="guides"),
    path("docs/decisions/", views.decisions, name="decisions"),
    path("docs/decisions/<slug:name>/", views.decision, name="decision"),
    path("docs/<slug:name>/", views.guide, name="guide"),
]
