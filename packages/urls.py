"""Addresses of the packages."""

from django.urls import URLPattern, URLResolver, path, re_path

from packages import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("kit/", views.kit, name="kit"),
    path("kit/simple/", views.index, name="kit-index"),
    # Names as PEP 508 has them: letters of ASCII, digits, dots, underscores and hyphens.
    re_path(r"^kit/simple/(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})/$", views.project, name="kit-project"),
    re_path(r"^kit/files/(?P<part>[0-9a-f]{16})/(?P<name>[\w.-]{1,200})$", views.file, name="kit-file"),
]
