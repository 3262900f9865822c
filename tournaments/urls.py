"""Addresses of tournaments and of every page that reads them."""

from django.urls import URLPattern, URLResolver, path, re_path

from tournaments.pages.comparisons import comparisons
from tournaments.pages.entries import corrections, lineups, links, teams
from tournaments.pages.events import clocks, create, details, event, set_up, zones
from tournaments.pages.floor import dashboard, player_page, print_sheets, result_sheets, screen, staff
from tournaments.pages.invitations import answering, organising
from tournaments.pages.lifecycle import acting
from tournaments.pages.matches import embedding, matches, verifying
from tournaments.pages.notifications import pages, stop_mails
from tournaments.pages.operations import audit, failures, quarantine
from tournaments.pages.operations import dashboard as ops
from tournaments.pages.pairing import constraints, draw_settings
from tournaments.pages.people import own_data, people, tokens
from tournaments.pages.presence import person
from tournaments.pages.presence import rules as presence_rules
from tournaments.pages.progress import adjusting, by_hand, swaps, undoing, voiding
from tournaments.pages.ranking import ranking
from tournaments.pages.ratings import leaderboard
from tournaments.pages.registration import organiser as registrations
from tournaments.pages.registration import register
from tournaments.pages.rules import clauses, comparing, event_rules, rules
from tournaments.pages.scores import grid, photos, reporting, tables
from tournaments.pages.simulation import rehearsal
from tournaments.pages.site import home as lists
from tournaments.pages.site import lists as listing
from tournaments.pages.site import texts
from tournaments.pages.standings import bracket
from tournaments.pages.webhooks import webhooks

urlpatterns: list[URLPattern | URLResolver] = [
    path("", lists.home, name="home"),
    path("t/", lists.tournament_list, name="tournament-list"),
    path("t/new/", create.tournament_new, name="tournament-new"),
    path("t/<slug:slug>/", event.overview, name="tournament"),
    path("t/<slug:slug>/entries/", dashboard.entries, name="tournament-entries"),
    path("t/<slug:slug>/entries/<uuid:uuid>/", corrections.correction_page, name="tournament-entry-edit"),
    path("t/<slug:slug>/entries/<uuid:uuid>/presence/", person.person_page, name="tournament-presence"),
    path("t/<slug:slug>/presence/", presence_rules.rules_page, name="tournament-presence-rules"),
    path("t/<slug:slug>/partners/", teams.partners, name="tournament-partners"),
    path("t/<slug:slug>/partners/<slug:verb>/", teams.partners_do, name="tournament-partners-do"),
    path("t/<slug:slug>/lineups/", lineups.lineups_page, name="tournament-lineups"),
    path("t/<slug:slug>/lineups/part/", lineups.part_do, name="tournament-part"),
    path("t/<slug:slug>/lineups/renew/", lineups.captain_do, name="tournament-captain-renew"),
    path("t/<slug:slug>/lineups/<str:token>/", lineups.captain_page, name="tournament-captain"),
    path("t/<slug:slug>/rounds/", event.rounds, name="tournament-rounds"),
    path("t/<slug:slug>/bracket/", bracket.bracket_page, name="tournament-bracket"),
    path("t/<slug:slug>/standings/", event.standings_page, name="tournament-standings"),
    path("t/<slug:slug>/ranking/", ranking.ranking_page, name="tournament-ranking"),
    path("t/<slug:slug>/ranking/poster-<slug:paper>/", ranking.poster_page, name="tournament-poster"),
    path("t/<slug:slug>/crosstable/", event.crosstable, name="tournament-crosstable"),
    path("t/<slug:slug>/feed/", event.feed_page, name="tournament-feed"),
    path("t/<slug:slug>/audit/", audit.event_audit, name="tournament-audit"),
    path("t/<slug:slug>/draw/<int:number>/", acting.draw_page, name="tournament-draw"),
    path("t/<slug:slug>/cancel/", acting.cancel_page, name="tournament-cancel"),
    path("t/<slug:slug>/stage/<int:number>/void/", voiding.void_page, name="stage-void"),
    path("t/<slug:slug>/clock/", clocks.clock_page, name="tournament-clock"),
    path("t/<slug:slug>/details/", details.details_page, name="tournament-details"),
    path("t/<slug:slug>/rules/", event_rules.event_rules, name="tournament-rules"),
    path("t/<slug:slug>/edit/", set_up.set_up_page, name="tournament-edit"),
    path("t/<slug:slug>/another/", details.another, name="tournament-another"),
    path("t/<slug:slug>/time-zone/", zones.zone_page, name="tournament-zone"),
    path("t/<slug:slug>/do/<slug:verb>/", acting.tournament_do, name="tournament-do"),
    path("t/<slug:slug>/rehearsal/", rehearsal.rehearsal_page, name="tournament-rehearsal"),
    path("t/<slug:slug>/desk/", dashboard.dashboard_page, name="tournament-desk"),
    path("t/<slug:slug>/grid/", grid.grid_page, name="tournament-grid"),
    path("t/<slug:slug>/grid/<int:number>/", grid.confirm_page, name="tournament-confirm"),
    path("t/<slug:slug>/desk/<slug:verb>/", dashboard.dashboard_do, name="tournament-desk-do"),
    path("t/<slug:slug>/draws/", draw_settings.draw_settings_page, name="tournament-draw-settings"),
    path("t/<slug:slug>/wishes/", constraints.constraints_page, name="tournament-wishes"),
    path("t/<slug:slug>/by-hand/", by_hand.by_hand_page, name="tournament-by-hand"),
    path("t/<slug:slug>/next/", dashboard.next_page, name="tournament-next"),
    path("t/<slug:slug>/print/<int:number>/", print_sheets.print_page, name="tournament-print"),
    path("t/<slug:slug>/results/<int:number>/", result_sheets.sheet_page, name="tournament-results"),
    path("t/<slug:slug>/results/<int:number>.csv", result_sheets.sheet_file, name="tournament-sheet-file"),
    path("t/<slug:slug>/swap/<int:number>/", swaps.swap_page, name="tournament-swap"),
    path("t/<slug:slug>/adjust/", adjusting.adjust_page, name="tournament-adjust"),
    path("t/<slug:slug>/undo/", undoing.undo_page, name="tournament-undo"),
    path("t/<slug:slug>/roles/", staff.roles_page, name="tournament-roles"),
    path("t/<slug:slug>/screen/", screen.screen, name="tournament-screen"),
    path("t/<slug:slug>/register/", register.register_page, name="tournament-register"),
    path("t/<slug:slug>/register/sent/", register.sent_page, name="registration-sent"),
    path("t/<slug:slug>/register/link/", register.link_page, name="registration-link"),
    path("t/<slug:slug>/register/mine/", register.mine_page, name="registration-mine"),
    path("t/<slug:slug>/register/<str:token>/", register.own_page, name="registration-own"),
    path("t/<slug:slug>/registrations/", registrations.list_page, name="registrations"),
    path("t/<slug:slug>/registrations/form/", registrations.set_up_page, name="registration-set-up"),
    path("t/<slug:slug>/registrations/answers.csv", registrations.answers_file, name="registration-answers"),
    path("t/<slug:slug>/registrations/<slug:verb>/", registrations.list_do, name="registrations-do"),
    path("t/<slug:slug>/links/", links.links_page, name="tournament-links"),
    path("t/<slug:slug>/links/cards/", links.cards_page, name="tournament-link-cards"),
    path("t/<slug:slug>/links/<slug:verb>/", links.links_do, name="tournament-links-do"),
    path("t/<slug:slug>/invitations/", organising.invitations_page, name="tournament-invitations"),
    path("t/<slug:slug>/invitations/<uuid:uuid>/", organising.invitation_card, name="tournament-invitation-card"),
    path("t/<slug:slug>/invitations/<slug:verb>/", organising.invitations_do, name="tournament-invitations-do"),
    path("i/", answering.invitation_page, name="invitation"),
    path("i/accept/", answering.invitation_accept, name="invitation-accept"),
    path("i/decline/", answering.invitation_decline, name="invitation-decline"),
    path("i/<str:token>/", answering.open_invitation, name="invitation-link"),
    path("e/", player_page.my_days, name="my-days"),
    path("e/my/<uuid:uuid>/", player_page.day_page, name="my-day"),
    path("e/my/<uuid:uuid>/table/<uuid:match>/", player_page.to_table, name="my-table"),
    path("e/my/<uuid:uuid>/<slug:verb>/", player_page.day_do, name="my-day-do"),
    re_path(r"^e/(?P<token>[\w-]{1,60})/$", player_page.open_link, name="link"),
    path("e/<str:token>/", tables.slip, name="slip"),
    path("x/", tables.code_page, name="table-code"),
    path("x/<uuid:uuid>/", tables.table, name="table"),
    path("x/<uuid:uuid>/photo/<int:side>.jpg", photos.photo, name="slip-photo"),
    path("x/<uuid:uuid>/photo/<int:side>/remove/", photos.photo_remove, name="slip-photo-remove"),
    path("x/<uuid:uuid>/<slug:verb>/", tables.table_do, name="table-do"),
    path("b/<slug:slug>/", people.bot, name="bot"),
    path("b/<slug:slug>/audit/", audit.bot_audit, name="bot-audit"),
    path("b/<slug:slug>/follow/<slug:verb>/", acting.bot_follow, name="bot-follow"),
    path("b/<slug:slug>/failures/", failures.failures_page, name="bot-failures"),
    path("b/<slug:slug>/failures/<slug:id>/", failures.failure_page, name="bot-failure"),
    path("b/<slug:slug>/policy/", comparisons.bot_policy, name="bot-policy"),
    path("c/", comparisons.challenge_list, name="challenge-list"),
    path("c/new/", comparisons.challenge_new, name="challenge-new"),
    path("c/<uuid:uuid>/", comparisons.challenge, name="challenge"),
    path("c/<uuid:uuid>/data.<slug:kind>", comparisons.challenge_data, name="challenge-data"),
    path("c/<uuid:uuid>/do/<slug:verb>/", comparisons.challenge_do, name="challenge-do"),
    path("u/", listing.people, name="people"),
    path("u/<str:name>/", people.user, name="user"),
    path("me/follow/", pages.news, name="follow"),
    path("me/follow/<int:number>/", pages.notice, name="notice"),
    path("me/follow/read/", pages.read, name="notices-read"),
    path("me/follow/list/", pages.follows, name="follows"),
    path("me/follow/do/<slug:verb>/", pages.follow_do, name="follow-do"),
    path("me/invitations/", answering.my_invitations, name="my-invitations"),
    path("me/invitations/<uuid:uuid>/<slug:verb>/", answering.my_invitation_do, name="my-invitation-do"),
    path("me/notices/", pages.plan, name="notice-plan"),
    path("me/notices/stop/<str:token>/", stop_mails.stop, name="unsubscribe"),
    path("me/tokens/", tokens.tokens_page, name="tokens"),
    path("me/tokens/<uuid:uuid>/revoke/", tokens.token_revoke, name="token-revoke"),
    path("me/hooks/", webhooks.hooks_page, name="hooks"),
    path("me/hooks/<uuid:uuid>/", webhooks.hook_page, name="hook"),
    path("me/hooks/<uuid:uuid>/do/<slug:verb>/", webhooks.hook_do, name="hook-do"),
    path("me/data/", own_data.data_page, name="own-data"),
    path("me/data/copy/", own_data.data_copy, name="own-data-copy"),
    path("me/sign-out/", own_data.sign_out, name="sign-out"),
    path("me/sessions/<uuid:uuid>/end/", own_data.session_end, name="session-end"),
    path("me/delete/", own_data.delete_page, name="account-delete"),
    path("m/", listing.matches, name="matches"),
    path("m/<uuid:uuid>/", matches.match, name="match"),
    path("m/<uuid:uuid>/verify/", verifying.verify_match, name="match-verify"),
    path("m/<uuid:uuid>/embed/", embedding.embed, name="match-embed"),
    path("m/<uuid:uuid>/result/", reporting.result_page, name="match-result"),
    path("m/<uuid:uuid>/void/", quarantine.void_page, name="match-void"),
    path("m/<uuid:uuid>/do/<slug:verb>/", quarantine.match_do, name="match-do"),
    path("m/<uuid:uuid>/record.json", matches.match_record, name="match-record"),
    path("m/<uuid:uuid>/record.compact.json", matches.match_compact_record, name="match-compact-record"),
    path("m/words/<slug:language>-<slug:game>.json", matches.replay_words, name="replay-words"),
    path("ladder/", leaderboard.ladder_index, name="ladder"),
    path("ladder/<slug:preset>/", leaderboard.ladder_preset, name="ladder-preset"),
    path("ladder/<slug:preset>/ladder.csv", leaderboard.ladder_file, name="ladder-file"),
    path("ops/", ops.ops, name="ops"),
    path("ops/audit/", audit.all_audit, name="audit"),
    path("ops/requeue/", ops.requeue, name="ops-requeue"),
    path("ops/worker/<int:pk>/<slug:verb>/", ops.worker_do, name="ops-worker"),
    path("ops/suspension/<slug:verb>/", ops.suspension, name="ops-suspension"),
    path("queue/", lists.queue, name="queue"),
    path("rules/", rules.rules, name="rules"),
    path("rules/compare/", comparing.compare, name="rules-compare"),
    path("rules/<slug:preset>/", rules.rules_preset, name="rules-preset"),
    path("rules/<slug:preset>/<slug:topic>/", clauses.clause, name="rules-clause"),
    path("rules/<slug:preset>/<slug:topic>/record.json", clauses.clause_record, name="rules-record"),
    path("about/", texts.about, name="about"),
    path("fairness/", texts.fairness, name="fairness"),
    path("privacy/", texts.privacy, name="privacy"),
    path("fairness/verify/", verifying.verify_record, name="verify-record"),
    path("fairness/words/<slug:language>.json", verifying.verify_words, name="verify-words"),
]
