"""Every address of the site. Each app keeps its own list; this file only joins them."""

from functools import partial

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from accounts.views import admin_door
from guides.finding import hits_of
from tournaments.pages.site.search import search

urlpatterns = [
    # Before admin.site.urls, whose own log-in page counts no attempts.
    path("admin/login/", admin_door),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/", include("bots.api.urls")),
    path("api/", include("tables.api.urls")),
    path("api/", include("tournaments.api.urls")),
    # Here, where guides and tournaments meet: neither knows the other.
    path(
        "search/",
        search,
        {"guides": {"guides": hits_of, "developers": partial(hits_of, for_developers=True)}},
        name="search",
    ),
    path("", include("accounts.urls")),
    path("", include("bots.urls")),
    path("", include("guides.urls")),
    path("", include("packages.urls")),
    path("", include("tables.urls")),
    path("", include("tournaments.urls_files")),
    path("", include("tournaments.urls")),
]

handler400 = "tournaments.pages.site.errors.bad_request"
handler403 = "tournaments.pages.site.errors.forbidden"
handler404 = "tournaments.pages.site.errors.not_found"
handler500 = "tournaments.pages.site.errors.broken"
