"""Addresses of tournaments and of every page that reads them."""

from django.urls import URLPattern, URLResolver, path

from tournaments.views import acting, audit, clocks, creating, event, holding, lists, matches, people, rules, texts

urlpatterns: list[URLPattern | URLResolver] = [
    path("", lists.home, name="home"),
    path("t/", lists.tournament_list, name="tournament-list"),
    path("t/new/", creating.tournament_new, name="tournament-new"),
    path("t/<slug:slug>/", event.overview, name="tournament"),
    path("t/<slug:slug>/entries/", event.entries, name="tournament-entries"),
    path("t/<slug:slug>/rounds/", event.rounds, name="tournament-rounds"),
    path("t/<slug:slug>/standings/", event.standings_page, name="tournament-standings"),
    path("t/<slug:slug>/crosstable/", event.crosstable, name="tournament-crosstable"),
    path("t/<slug:slug>/feed/", event.feed_page, name="tournament-feed"),
    path("t/<slug:slug>/audit/", audit.event_audit, name="tournament-audit"),
    path("t/<slug:slug>/cancel/", acting.cancel_page, name="tournament-cancel"),
    path("t/<slug:slug>/clock/", clocks.clock_page, name="tournament-clock"),
    path("t/<slug:slug>/do/<slug:verb>/", acting.tournament_do, name="tournament-do"),
    path("b/<slug:slug>/", people.bot, name="bot"),
    path("b/<slug:slug>/audit/", audit.bot_audit, name="bot-audit"),
    path("b/<slug:slug>/follow/<slug:verb>/", acting.bot_follow, name="bot-follow"),
    path("u/<str:name>/", people.user, name="user"),
    path("me/follow/", people.follow, name="follow"),
    path("m/<uuid:uuid>/", matches.match, name="match"),
    path("m/<uuid:uuid>/void/", holding.void_page, name="match-void"),
    path("m/<uuid:uuid>/do/<slug:verb>/", holding.match_do, name="match-do"),
    path("m/<uuid:uuid>/record.json", matches.match_record, name="match-record"),
    path("m/<uuid:uuid>/record.compact.json", matches.match_compact_record, name="match-compact-record"),
    path("m/words/<slug:language>-<slug:game>.json", matches.replay_words, name="replay-words"),
    path("ladder/", lists.ladder_index, name="ladder"),
    path("ladder/<slug:preset>/", lists.ladder_preset, name="ladder-preset"),
    path("ops/audit/", audit.all_audit, name="audit"),
    path("queue/", lists.queue, name="queue"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:preset>/", rules.rules_preset, name="rules-preset"),
    path("about/", texts.about, name="about"),
    path("fairness/", texts.fairness, name="fairness"),
]
