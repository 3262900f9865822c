"""What people do to tournaments. Keyword-only; each raises TournamentError with a stable code and changes nothing then.

Everything is safe to do twice: the second call is refused ("tournament.already_running", "entry.duplicate") or, where
the docstring says so, changes nothing.
"""

from tournaments.services.challenges import ChallengePlan, start_challenge, stop_challenge
from tournaments.services.clocks import choose_clock, read_clock
from tournaments.services.creating import create_tournament
from tournaments.services.entering import enter_bot, withdraw_entry
from tournaments.services.following import follow, unfollow
from tournaments.services.holding import requeue_held, require_void, retry_match, ruling, void_match
from tournaments.services.ladders import end_ladder
from tournaments.services.plans import EventPlan, StagePlan, WayPlan
from tournaments.services.policies import choose_policy
from tournaments.services.running import (
    archive_tournament,
    cancel_tournament,
    open_registration,
    pause_tournament,
    possible_verbs,
    publish_tournament,
    resume_tournament,
    start_tournament,
)
from tournaments.services.stages import draw_stage, preview_stage

__all__ = [
    "ChallengePlan",
    "EventPlan",
    "StagePlan",
    "WayPlan",
    "archive_tournament",
    "cancel_tournament",
    "choose_clock",
    "choose_policy",
    "create_tournament",
    "draw_stage",
    "end_ladder",
    "enter_bot",
    "follow",
    "open_registration",
    "pause_tournament",
    "possible_verbs",
    "preview_stage",
    "publish_tournament",
    "read_clock",
    "requeue_held",
    "require_void",
    "resume_tournament",
    "retry_match",
    "ruling",
    "start_challenge",
    "start_tournament",
    "stop_challenge",
    "unfollow",
    "void_match",
    "withdraw_entry",
]
