"""Addresses of the API: resources of version 1, their schema, their documentation."""

from django.urls import URLPattern, URLResolver, path

from tournaments.api import general
from tournaments.api.clubs import clubs
from tournaments.api.comparisons import comparisons
from tournaments.api.dataset import data
from tournaments.api.entries import entries as field
from tournaments.api.entries import lineups, links, of_bots, partners
from tournaments.api.events import events, log, proposing, roles, set_up
from tournaments.api.floor import announcements, lists
from tournaments.api.interchange import importing
from tournaments.api.interchange.files import Files
from tournaments.api.invitations import answering, organising
from tournaments.api.matches import bulk, deal_sets, logs, matches, proving
from tournaments.api.notifications import browsers, following, notices
from tournaments.api.operations import failures, operating
from tournaments.api.pairing import constraints, draws
from tournaments.api.people import account
from tournaments.api.presence import presence
from tournaments.api.progress import adjustments, rounds
from tournaments.api.ranking import ranking
from tournaments.api.ratings import ratings
from tournaments.api.ratings import seasons as seasons_of_ladders
from tournaments.api.registration import registrations
from tournaments.api.registration import teams as registered_teams
from tournaments.api.schema.docs import api_docs, api_group
from tournaments.api.scores import rounds as reported_rounds
from tournaments.api.scores import tables
from tournaments.api.seasons import answering as answering_seasons
from tournaments.api.seasons import people as season_people
from tournaments.api.seasons import seasons
from tournaments.api.simulation import rehearsing
from tournaments.api.standings import standings
from tournaments.api.webhooks import webhooks
from web.schema import Schema

EVENT = "v1/tournaments/<slug:slug>"
urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/presets", general.Presets.as_view(), name="api-presets"),
    path("v1/rules/<slug:preset>", general.Rules.as_view(), name="api-rules"),
    path("v1/cards", general.Cards.as_view(), name="api-cards"),
    path("v1/vectors", general.Vectors.as_view(), name="api-vectors"),
    path("v1/data", data.DataFiles.as_view(), name="api-data"),
    path("v1/queue", general.Queue.as_view(), name="api-queue"),
    path("v1/ladder-seasons", seasons_of_ladders.LadderSeasons.as_view(), name="api-ladder-seasons"),
    path("v1/ratings", general.Boards.as_view(), name="api-boards"),
    path("v1/ratings/<slug:preset>", general.Ratings.as_view(), name="api-ratings"),
    path("v1/challenges", comparisons.Challenges.as_view(), name="api-challenges"),
    path("v1/challenges/<uuid:uuid>", comparisons.OneChallenge.as_view(), name="api-challenge"),
    path("v1/challenges/<uuid:uuid>:stop", comparisons.ChallengeStop.as_view(), name="api-challenge-stop"),
    path("v1/challenges/<uuid:uuid>/deal-sets", deal_sets.DealSets.as_view(), name="api-deal-sets"),
    path("v1/follows", following.Follows.as_view(), name="api-follows"),
    path("v1/follows/<slug:kind>/<slug:slug>", following.OneFollow.as_view(), name="api-follow"),
    path("v1/hooks", webhooks.Hooks.as_view(), name="api-hooks"),
    path("v1/hooks/<uuid:uuid>", webhooks.OneHook.as_view(), name="api-hook"),
    path("v1/hooks/<uuid:uuid>:test", webhooks.HookTest.as_view(), name="api-hook-test"),
    path("v1/hooks/<uuid:uuid>:rotate", webhooks.HookRotate.as_view(), name="api-hook-rotate"),
    path("v1/hooks/<uuid:uuid>/deliveries", webhooks.Deliveries.as_view(), name="api-deliveries"),
    path("v1/hooks/<uuid:uuid>/deliveries/<slug:id>:resend", webhooks.DeliveryAgain.as_view(), name="api-resend"),
    path("v1/tokens", following.Tokens.as_view(), name="api-tokens"),
    path("v1/tokens/<uuid:uuid>", following.OneToken.as_view(), name="api-token"),
    path("v1/me/token", following.CurrentToken.as_view(), name="api-current-token"),
    path("v1/me", account.Me.as_view(), name="api-me"),
    path("v1/me/notices", notices.Notices.as_view(), name="api-notices"),
    path("v1/me/notices:read", notices.NoticesRead.as_view(), name="api-notices-read"),
    path("v1/me/notice-plan", notices.NoticePlan.as_view(), name="api-notice-plan"),
    path("v1/me/browsers", browsers.Browsers.as_view(), name="api-browsers"),
    path("v1/me/browsers/<uuid:uuid>", browsers.OneBrowser.as_view(), name="api-browser"),
    path("v1/workers/<int:id>:<slug:verb>", operating.WorkerAct.as_view(), name="api-worker-act"),
    path("v1/queue:requeue", operating.QueueRequeue.as_view(), name="api-queue-requeue"),
    path("v1/suspensions", operating.Suspensions.as_view(), name="api-suspensions"),
    path("v1/suspensions/<slug:kind>/<str:name>", operating.OneSuspension.as_view(), name="api-suspension"),
    path("v1/records:verify", proving.RecordVerify.as_view(), name="api-verify"),
    path("v1/me/invitations", answering.OwnInvitations.as_view(), name="api-own-invitations"),
    path(
        "v1/me/invitations/<uuid:uuid>:<slug:verb>",
        answering.OwnInvitationAct.as_view(),
        name="api-own-invitation-act",
    ),
    path("v1/invitations:accept", answering.InvitationAccept.as_view(), name="api-invitation-accept"),
    path("v1/me/calendar", account.Calendar.as_view(), name="api-calendar"),
    path("v1/my-day:<slug:verb>", links.OwnDay.as_view(), name="api-own-day"),
    path("v1/bots/<slug:slug>/policy", account.Policy.as_view(), name="api-policy"),
    path("v1/bots/<slug:slug>/entries", of_bots.BotEntries.as_view(), name="api-bot-entries"),
    path("v1/bots/<slug:slug>/failed-checks", failures.FailedChecks.as_view(), name="api-failed-checks"),
    path("v1/bots/<slug:slug>/failures", failures.Failures.as_view(), name="api-failures"),
    path("v1/bots/<slug:slug>/failures/<slug:id>", failures.OneFailure.as_view(), name="api-failure"),
    path("v1/bots/<slug:slug>/strength", ratings.BotStrength.as_view(), name="api-strength"),
    path("v1/people", ratings.People.as_view(), name="api-people"),
    path("v1/people/<str:name>", ratings.OnePerson.as_view(), name="api-person"),
    path("v1/clubs", clubs.Clubs.as_view(), name="api-clubs"),
    path("v1/clubs/<str:key>", clubs.OneClub.as_view(), name="api-club"),
    path("v1/clubs/<str:key>/membership", clubs.Membership.as_view(), name="api-club-membership"),
    path("v1/seasons", seasons.Seasons.as_view(), name="api-seasons"),
    path("v1/seasons/<slug:slug>", seasons.OneSeason.as_view(), name="api-season"),
    path("v1/seasons/<slug:slug>/table", seasons.SeasonTable.as_view(), name="api-season-table"),
    path("v1/seasons/<slug:slug>/table.csv", seasons.SeasonTableFile.as_view(), name="api-season-file"),
    path("v1/seasons/<slug:slug>/people/<uuid:uuid>", seasons.SeasonTotal.as_view(), name="api-season-total"),
    path("v1/seasons/<slug:slug>/identities", season_people.SeasonIdentities.as_view(), name="api-season-identities"),
    path("v1/seasons/<slug:slug>/alike", season_people.SeasonAlike.as_view(), name="api-season-alike"),
    path("v1/seasons/<slug:slug>/moves", season_people.SeasonMoves.as_view(), name="api-season-moves"),
    path("v1/seasons/<slug:slug>/clubs", season_people.SeasonClubs.as_view(), name="api-season-clubs"),
    path("v1/seasons/<slug:slug>/events", seasons.SeasonEvents.as_view(), name="api-season-events"),
    path("v1/seasons/<slug:slug>/events/<slug:event>", seasons.OneSeasonEvent.as_view(), name="api-season-event"),
    path("v1/seasons/<slug:slug>/roles", answering_seasons.SeasonRoles.as_view(), name="api-season-roles"),
    path("v1/seasons/<slug:slug>/roles/<str:user>", answering_seasons.OneSeasonRole.as_view(), name="api-season-role"),
    path("v1/seasons/<slug:slug>:<slug:verb>", seasons.SeasonAct.as_view(), name="api-season-act"),
    path(f"{EVENT}/seasons", answering_seasons.EventSeasons.as_view(), name="api-event-seasons"),
    path(f"{EVENT}/seasons/<slug:season>", answering_seasons.OneEventSeason.as_view(), name="api-event-season"),
    path("v1/proposals", proposing.Proposals.as_view(), name="api-proposals"),
    path("v1/tournaments", events.Tournaments.as_view(), name="api-tournaments"),
    # A colon is no part of a slug: these addresses cannot hide an event's.
    path("v1/tournaments:import", importing.ImportFile.as_view(), name="api-import"),
    path("v1/tournaments:import-report", importing.ImportReport.as_view(), name="api-import-report"),
    path(EVENT, events.TournamentDetail.as_view(), name="api-tournament"),
    path(f"{EVENT}:undo", events.TournamentUndo.as_view(), name="api-tournament-undo"),
    path(f"{EVENT}:<slug:verb>", events.TournamentAct.as_view(), name="api-tournament-act"),
    path(f"{EVENT}/plan", set_up.SetUp.as_view(), name="api-plan"),
    path(f"{EVENT}/roles", roles.Roles.as_view(), name="api-roles"),
    path(f"{EVENT}/roles/<slug:role>/<str:user>", roles.OneRole.as_view(), name="api-role"),
    path(f"{EVENT}/announcements", announcements.Announcements.as_view(), name="api-announcements"),
    path(f"{EVENT}/announcements/<int:n>", announcements.OneAnnouncement.as_view(), name="api-announcement"),
    path(f"{EVENT}/rehearsal", rehearsing.Rehearsal.as_view(), name="api-rehearsal"),
    path(f"{EVENT}/pairs", constraints.Pairs.as_view(), name="api-pairs"),
    path(f"{EVENT}/pairs/<uuid:one>/<uuid:other>", constraints.OnePair.as_view(), name="api-pair"),
    path(f"{EVENT}/ranking", ranking.Ranking.as_view(), name="api-ranking"),
    path(f"{EVENT}/prizes", ranking.Prizes.as_view(), name="api-prizes"),
    path(f"{EVENT}/prizes/categories/<uuid:uuid>", ranking.CategoryEntries.as_view(), name="api-prize-category"),
    path(f"{EVENT}/registration", registrations.RegistrationForm.as_view(), name="api-registration-form"),
    path(f"{EVENT}/registrations", registrations.Registrations.as_view(), name="api-registrations"),
    path(f"{EVENT}/registrations/mine", registrations.OwnRegistration.as_view(), name="api-registration-own"),
    path(f"{EVENT}/registrations/mine/team", registered_teams.OwnTeam.as_view(), name="api-own-team"),
    path(f"{EVENT}/registrations/mine/team/places", registered_teams.OwnTeamPlaces.as_view(), name="api-team-places"),
    path(
        f"{EVENT}/registrations/mine/team/places/<uuid:uuid>",
        registered_teams.OneOwnTeamPlace.as_view(),
        name="api-team-place",
    ),
    path("v1/team-places:<slug:verb>", registered_teams.TeamPlaceAct.as_view(), name="api-team-place-act"),
    path(f"{EVENT}/registrations:<slug:verb>", registrations.RegistrationsAct.as_view(), name="api-registrations-act"),
    path(f"{EVENT}/pair-rules", draws.PairRules.as_view(), name="api-pair-rules"),
    path(f"{EVENT}/pair-rules/<int:rule>", draws.OnePairRule.as_view(), name="api-pair-rule"),
    path(f"{EVENT}/links", links.Links.as_view(), name="api-links"),
    path(f"{EVENT}/invitation-links", organising.InvitationLinks.as_view(), name="api-invitation-links"),
    path(f"{EVENT}/invitation-links/<uuid:uuid>", organising.OneInvitationLink.as_view(), name="api-invitation-link"),
    path(f"{EVENT}/invitations", organising.Invitations.as_view(), name="api-invitations"),
    path(f"{EVENT}/invitations/<uuid:uuid>:<slug:verb>", organising.InvitationAct.as_view(), name="api-invitation-act"),
    path(f"{EVENT}/lineups", lineups.Lineups.as_view(), name="api-lineups"),
    path(f"{EVENT}/partner-draws", partners.PartnerDraws.as_view(), name="api-partner-draws"),
    path(f"{EVENT}/partner-draws/<int:n>:undo", partners.PartnerDrawUndo.as_view(), name="api-partner-draw-undo"),
    path(f"{EVENT}/entries:import", lists.PeopleList.as_view(), name="api-people-list"),
    path(f"{EVENT}/entries:here", lists.EverybodyHere.as_view(), name="api-everybody-here"),
    path(f"{EVENT}/entries/<uuid:uuid>:part", lineups.TeamLeave.as_view(), name="api-part"),
    path(f"{EVENT}/entries/<uuid:uuid>/link", links.EntryLinkOf.as_view(), name="api-entry-link"),
    path(f"{EVENT}/entries/<uuid:uuid>/link:<slug:verb>", links.EntryLinkAct.as_view(), name="api-entry-link-act"),
    path(f"{EVENT}/entries", field.Entries.as_view(), name="api-entries"),
    path(f"{EVENT}/entries/<uuid:uuid>/byes", presence.Byes.as_view(), name="api-byes"),
    path(f"{EVENT}/entries/<uuid:uuid>/byes/<int:number>", presence.OneBye.as_view(), name="api-bye"),
    path(f"{EVENT}/entries/<uuid:uuid>:substitute", presence.EntrySubstitute.as_view(), name="api-entry-substitute"),
    path(f"{EVENT}/presence", presence.PresenceRules.as_view(), name="api-presence"),
    path(f"{EVENT}/entries/<uuid:uuid>", field.OneEntry.as_view(), name="api-entry"),
    path(f"{EVENT}/teams", field.Teams.as_view(), name="api-teams"),
    path(f"{EVENT}/teams/<uuid:uuid>", field.OneTeam.as_view(), name="api-team"),
    path(f"{EVENT}/teams/<uuid:uuid>:substitute", partners.TeamSubstitute.as_view(), name="api-substitute"),
    path(f"{EVENT}/teams/<uuid:uuid>/captain", lineups.CaptainAddress.as_view(), name="api-captain"),
    path(f"{EVENT}/teams/<uuid:uuid>/captain:renew", lineups.CaptainRenew.as_view(), name="api-captain-renew"),
    path(f"{EVENT}/teams/<uuid:uuid>/lineup", lineups.TeamLineup.as_view(), name="api-lineup"),
    path(f"{EVENT}/stages/<int:order>:void", adjustments.StageVoid.as_view(), name="api-stage-void"),
    path(f"{EVENT}/stages/<int:order>/draw-settings", draws.DrawSettings.as_view(), name="api-draw-settings"),
    path(f"{EVENT}/stages/<int:order>/by-hand", draws.ByHand.as_view(), name="api-by-hand"),
    path(f"{EVENT}/stages/<int:order>/seeding", constraints.StageSeeding.as_view(), name="api-seeding"),
    path(f"{EVENT}/stages/<int:order>/seeding/pools", constraints.StagePools.as_view(), name="api-seeding-pools"),
    path(f"{EVENT}/stages/<int:order>/adjustments", adjustments.Adjustments.as_view(), name="api-adjustments"),
    path(
        f"{EVENT}/stages/<int:order>/adjustments/<int:id>:revoke",
        adjustments.AdjustmentRevoke.as_view(),
        name="api-adjustment-revoke",
    ),
    path(f"{EVENT}/stages", rounds.Stages.as_view(), name="api-stages"),
    path(f"{EVENT}/stages/<int:order>:<slug:verb>", rounds.StageAct.as_view(), name="api-stage-act"),
    path(f"{EVENT}/rounds", rounds.Rounds.as_view(), name="api-rounds"),
    path(f"{EVENT}/feed", log.Feed.as_view(), name="api-feed"),
    path(f"{EVENT}/rounds/<int:number>", log.OneRound.as_view(), name="api-round"),
    path(f"{EVENT}/rounds/<int:number>:swap", announcements.RoundSwap.as_view(), name="api-swap"),
    path(f"{EVENT}/rounds/<int:number>:reseat", draws.Reseat.as_view(), name="api-reseat"),
    path(f"{EVENT}/rounds/<int:number>/clock", announcements.RoundClock.as_view(), name="api-clock"),
    path(f"{EVENT}/rounds/<int:number>/clock:<slug:verb>", announcements.RoundClockAct.as_view(), name="api-clock-act"),
    path(f"{EVENT}/rounds/<int:number>/sheet", lists.RoundSheet.as_view(), name="api-sheet"),
    path(
        f"{EVENT}/rounds/<int:number>/reports:confirm",
        reported_rounds.RoundReports.as_view(),
        name="api-round-reports",
    ),
    path(f"{EVENT}/rounds/<int:number>:<slug:verb>", rounds.RoundAct.as_view(), name="api-round-act"),
    path(f"{EVENT}/tables", tables.Tables.as_view(), name="api-tables"),
    path(f"{EVENT}/matches", matches.Matches.as_view(), name="api-matches"),
    path(f"{EVENT}/standings", standings.Standings.as_view(), name="api-standings"),
    path(f"{EVENT}/crosstable", standings.Crosstable.as_view(), name="api-crosstable"),
    path(f"{EVENT}/bracket", standings.Bracket.as_view(), name="api-bracket"),
    path(f"{EVENT}/records/<str:name>", bulk.EventRecords.as_view(), name="api-event-records"),
    path(f"{EVENT}/files/<str:name>", Files.as_view(), name="api-file"),
    path("v1/tables/<uuid:uuid>", tables.OneTable.as_view(), name="api-table"),
    path("v1/tables/<uuid:uuid>:again", tables.TableAgain.as_view(), name="api-table-again"),
    path("v1/tables/<uuid:uuid>/slips/<int:side>:renew", tables.SlipRenew.as_view(), name="api-slip-renew"),
    path("v1/tables/<uuid:uuid>/reports", tables.Reports.as_view(), name="api-reports"),
    path("v1/tables/<uuid:uuid>/reports:<slug:verb>", tables.ReportAct.as_view(), name="api-report-act"),
    path("v1/matches", matches.AllMatches.as_view(), name="api-all-matches"),
    path("v1/matches/<uuid:uuid>", matches.MatchDetail.as_view(), name="api-match"),
    path("v1/matches/<uuid:uuid>/logs", logs.MatchLogs.as_view(), name="api-match-logs"),
    path("v1/matches/<uuid:uuid>:<slug:verb>", matches.MatchAct.as_view(), name="api-match-act"),
    path("v1/records/daily", bulk.Days.as_view(), name="api-daily"),
    path("v1/records/daily/<str:day>/<str:name>", bulk.DayFile.as_view(), name="api-daily-file"),
    path("v1/records/<uuid:uuid>", matches.Record.as_view(), name="api-record"),
    path("schema", Schema.as_view(), name="api-schema"),
    path("docs/", api_docs, name="api-docs"),
    path("docs/<slug:group>/", api_group, name="api-group"),
]
