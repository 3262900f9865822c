"""Names of the closed lists of words in the API's schema, by where the words are."""

from typing import Final

ENUM_NAMES: Final = {
    "TournamentState": "tournaments.models.Tournament.State",
    "EntryState": "tournaments.models.Entry.State",
    "MatchState": "tournaments.models.Match.State",
    "SeatOutcome": "tournaments.models.Seat.Outcome",
    "VersionState": "bots.models.BotVersion.State",
    "InvitationState": "tournaments.models.Invitation.State",
    "StageState": "tournaments.models.Stage.State",
    "ReportState": "tournaments.models.ResultReport.State",
    "StepState": "bots.api.serializers.STEP_STATES",
    "PresetId": "bots.api.serializers.PRESET_IDS",
    "Visibility": "tournaments.models.Tournament.Visibility",
    "StageKind": "tournaments.models.event.stage_kinds",
    "Scoring": "tournaments.models.Stage.Scoring",
    "Legs": "tournaments.models.Stage.Legs",
    "ChangeKind": "tournaments.api.acting.KINDS",
    "NoticeHow": "tournaments.models.Notice.How",
    "ProofState": "tournaments.api.matches.proving.STATES",
    "NewEventWhoEnum": "tournaments.api.events.plans.WHO",
    "FollowKind": "tournaments.api.notifications.following.KINDS",
    "SeasonState": "tournaments.models.Season.State",
    "SeasonMeasure": "tournaments.models.Season.Measure",
    "SeasonDecay": "tournaments.models.Season.Decay",
    "SeasonRoleKind": "tournaments.models.SeasonRole.Kind",
    "SeasonEventState": "tournaments.api.seasons.serializers.EVENT_STATES",
    "SeasonResultStatus": "tournaments.api.seasons.serializers.STATUSES",
    "RoleEnum": "tournaments.api.events.roles.KINDS",
    "StatusEnum": "tournaments.api.registration.serializers.STATUSES",
    "PairRuleKind": "tournaments.models.PairRule.Kind",
}
