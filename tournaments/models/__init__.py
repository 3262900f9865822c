"""Rows of the `tournaments` app (tournaments.md section 2)."""

from activity.models import Cursor, CursorPlace, StuckNews
from tournaments.models.chain import Group, Progression
from tournaments.models.challenge import Challenge, ChallengeSet
from tournaments.models.club import ClubMember
from tournaments.models.draw_settings import PairRule
from tournaments.models.entrant import BirthYear, Entry, Player, RequestedBye, StageEntry
from tournaments.models.event import EarlierSecret, Role, Ruleset, Stage, Tournament
from tournaments.models.floor import Announcement, RoundClock
from tournaments.models.follow import Follow
from tournaments.models.hook import Delivery, Hook, HookSecret
from tournaments.models.invitation import Invitation, InvitationLink
from tournaments.models.ladder_season import LadderMedal, LadderSeason
from tournaments.models.link import EntryLink, LinkRenewal
from tournaments.models.match import DealSet, Match, Round, Seat
from tournaments.models.notice import CalendarLink, Mailing, Notice, NoticePlan
from tournaments.models.photo import SlipPhoto
from tournaments.models.policy import BotPolicy
from tournaments.models.prize import Prize, PrizeCategory, PrizeSettings
from tournaments.models.push import PushMessage, PushSubscription
from tournaments.models.rating import Rating, RatingEvent, RatingPool
from tournaments.models.registered_team import RegisteredTeam, TeamPlace
from tournaments.models.registration import Question, Registration, RegistrationAnswer, RegistrationSettings
from tournaments.models.result import Adjustment, ResultReport, Standing
from tournaments.models.season import (
    Season,
    SeasonDivision,
    SeasonEvent,
    SeasonIdentity,
    SeasonPerson,
    SeasonResult,
    SeasonRole,
)
from tournaments.models.tally import ClubTally, EntryTally, MatchTally
from tournaments.models.team import Member, PartnerDraw

__all__ = [
    "Adjustment",
    "Announcement",
    "BirthYear",
    "BotPolicy",
    "CalendarLink",
    "Challenge",
    "ChallengeSet",
    "ClubMember",
    "ClubTally",
    "Cursor",
    "CursorPlace",
    "DealSet",
    "Delivery",
    "EarlierSecret",
    "Entry",
    "EntryLink",
    "EntryTally",
    "Follow",
    "Group",
    "Hook",
    "HookSecret",
    "Invitation",
    "InvitationLink",
    "LadderMedal",
    "LadderSeason",
    "LinkRenewal",
    "Mailing",
    "Match",
    "MatchTally",
    "Member",
    "Notice",
    "NoticePlan",
    "PairRule",
    "PartnerDraw",
    "Player",
    "Prize",
    "PrizeCategory",
    "PrizeSettings",
    "Progression",
    "PushMessage",
    "PushSubscription",
    "Question",
    "Rating",
    "RatingEvent",
    "RatingPool",
    "RegisteredTeam",
    "Registration",
    "RegistrationAnswer",
    "RegistrationSettings",
    "RequestedBye",
    "ResultReport",
    "Role",
    "Round",
    "RoundClock",
    "Ruleset",
    "Season",
    "SeasonDivision",
    "SeasonEvent",
    "SeasonIdentity",
    "SeasonPerson",
    "SeasonResult",
    "SeasonRole",
    "Seat",
    "SlipPhoto",
    "Stage",
    "StageEntry",
    "Standing",
    "StuckNews",
    "TeamPlace",
    "Tournament",
]
