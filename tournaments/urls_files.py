"""Addresses of files that leave and enter the service: events, tables, reports, calendars."""

from django.urls import URLPattern, URLResolver, path

from tournaments.pages.interchange import exports, import_report, imports

urlpatterns: list[URLPattern | URLResolver] = [
    path("t/import/", imports.import_page, name="tournament-import"),
    path("t/import/report/", import_report.import_report_page, name="tournament-import-report"),
    path("t/<slug:slug>/files/calendar.ics", exports.event_calendar, name="tournament-calendar"),
    path("t/<slug:slug>/files/report-<int:order>.trf", exports.event_report, name="tournament-report"),
    path("t/<slug:slug>/files/<str:what>", exports.event_file, name="tournament-file"),
    path("me/calendar/do/<slug:verb>/", exports.calendar_do, name="calendar-do"),
    path("me/calendar/<str:token>.ics", exports.own_calendar, name="own-calendar"),
    path("schemas/hanafuda-tournament-1.json", exports.event_schema, name="event-schema"),
]
