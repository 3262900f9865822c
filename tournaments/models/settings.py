"""The settings of a tournament, a column each: players, draws, teams, and the file it is a copy of.

Another setting is another column here, a migration, and a line in `interchange/settings_document.py` if event files say
it (docs/decisions/0099).
"""

from django.db import models
from django.db.models import Q

from bots.models import Blob
from core.formats.ages import MAX_GAP
from tournaments.models.presence import PRESENCE_CONSTRAINTS, PresenceSettings

MAX_LEADER_ROUNDS = 3
MAX_BOARDS = 7


class TournamentSettings(PresenceSettings):
    """The organiser's choices for the whole tournament, beside its name, day and limits.

    who: those who sit at its tables. draws: who publishes rounds where bots play. partners: the way people come to
    share a side; empty where names stand for sides. apart: those who are kept apart. separated_pairs: [[entry UUID,
    entry UUID], ..]. leaders: in how many of the last rounds of Swiss tables the leaders meet; None: nobody chose.
    age_gap: years between the ages of partners at least, where possible; 0: no rule.
    rated: of people, whether results count for their ratings. round_minutes: the length of rounds that are called from
    now on; 0: without a clock; None: nobody chose, so none has one. announcements_made: the number of the last
    announcement. hall_tables: how many tables there are; None: as many as are needed. calls_alone: matches of brackets
    that flow are called to a table as soon as one is free.

    boards: of a team whose members sit apart, each at another table; 0 where teams share a side. team_best: how many of
    them count. board_by: what decides a board where boards count.

    is_challenge: it compares two versions of a bot, or is one match at a table of the site: no list names it.
    official_deal_sets: it is an official ladder, of that many deal sets for each entry (0: any number). fide_report:
    what came with a report and is not a row: {"ranks": {entry UUID: rank}, "hashes": [of the tables that have these
    ranks], "silent": [numbers of records that the report did not have]}.

    copy_mask: it is a copy from a file, and this leads from its ids to those of its original; copy_carried: what its
    rows have no place for; settings_as_imported: the settings as the file says them, which its export repeats.
    """

    class Who(models.TextChoices):
        BOTS = "bots"
        PEOPLE = "people"
        BOTH = "both"

    class Draws(models.TextChoices):
        AUTOMATIC = ""
        ORGANISER = "organiser"

    class Partners(models.TextChoices):
        NONE = ""
        ENTERED = "entered"
        DRAWN = "drawn"

    class Apart(models.TextChoices):
        NOBODY = ""
        CLUB = "club"

    class TeamScore(models.TextChoices):
        """All boards added up; the best ones of every round; place shares of the boards; meetings won by those."""

        NONE = ""
        SUM = "sum"
        BEST = "best"
        BOARDS = "boards"
        MEETINGS = "meetings"

    class BoardBy(models.TextChoices):
        """Points, or games won by deals."""

        POINTS = "points"
        VICTORIES = "victories"

    who = models.CharField(max_length=6, choices=Who.choices, default=Who.BOTS)
    draws = models.CharField(max_length=9, choices=Draws.choices, default=Draws.AUTOMATIC, blank=True)
    partners = models.CharField(max_length=7, choices=Partners.choices, default=Partners.NONE, blank=True)
    apart = models.CharField(max_length=4, choices=Apart.choices, default=Apart.NOBODY, blank=True)
    separated_pairs = models.JSONField(default=list, blank=True)
    age_gap = models.PositiveSmallIntegerField(default=0, help_text="years between the ages of partners; 0: no rule")
    leaders = models.PositiveSmallIntegerField(null=True, blank=True)
    round_minutes = models.PositiveIntegerField(null=True, blank=True)
    hall_tables = models.PositiveSmallIntegerField(null=True, blank=True)
    calls_alone = models.BooleanField(default=False)
    announcements_made = models.PositiveIntegerField(default=0)
    rated = models.BooleanField(default=False)
    boards = models.PositiveSmallIntegerField(default=0)
    team_score = models.CharField(max_length=8, choices=TeamScore.choices, default=TeamScore.NONE, blank=True)
    team_best = models.PositiveSmallIntegerField(default=0, help_text="how many boards of a round count; 0: all")
    board_by = models.CharField(max_length=9, choices=BoardBy.choices, default=BoardBy.POINTS)
    is_challenge = models.BooleanField(default=False)
    official_deal_sets = models.PositiveIntegerField(null=True, blank=True)
    fide_report = models.JSONField(default=dict, blank=True)
    copy_mask = models.UUIDField(null=True, blank=True, editable=False)
    copy_carried = models.ForeignKey(Blob, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    settings_as_imported = models.JSONField(default=dict, blank=True)

    class Meta:
        abstract = True

    @property
    def is_copy(self) -> bool:
        """Return whether it came from a file and was played elsewhere, or here before."""
        return self.copy_mask is not None

    @property
    def is_of_people(self) -> bool:
        """Return whether people sit at its tables, alone or with bots among them."""
        return self.who != self.Who.BOTS

    @property
    def has_bots(self) -> bool:
        """Return whether bots may be entered, alone or among people. Workers play the tables without a person."""
        return self.who != self.Who.PEOPLE

    @property
    def is_mixed(self) -> bool:
        """Return whether people and bots play in one field (decision 0044)."""
        return self.who == self.Who.BOTH

    @property
    def goes_on_alone(self) -> bool:
        """Return whether rounds and stages follow on their own: where bots play, unless the organiser draws them."""
        return self.has_bots and self.draws != self.Draws.ORGANISER


def _is_one_of(column: str, choices: type[models.TextChoices]) -> models.CheckConstraint:
    return models.CheckConstraint(name=f"tournament_{column}_known", condition=Q(**{f"{column}__in": choices.values}))


SETTINGS_CONSTRAINTS = [
    *PRESENCE_CONSTRAINTS,
    _is_one_of("who", TournamentSettings.Who),
    _is_one_of("draws", TournamentSettings.Draws),
    _is_one_of("partners", TournamentSettings.Partners),
    _is_one_of("apart", TournamentSettings.Apart),
    _is_one_of("team_score", TournamentSettings.TeamScore),
    _is_one_of("board_by", TournamentSettings.BoardBy),
    models.CheckConstraint(name="tournament_age_gap_bounds", condition=Q(age_gap__lte=MAX_GAP)),
    models.CheckConstraint(
        name="tournament_leaders_few", condition=Q(leaders=None) | Q(leaders__lte=MAX_LEADER_ROUNDS)
    ),
    models.CheckConstraint(
        name="tournament_team_score_of_boards",
        condition=Q(boards=0, team_score="", team_best=0)
        | (Q(boards__gte=1, boards__lte=MAX_BOARDS) & ~Q(team_score="") & (Q(team_best=0) | Q(team_score="best"))),
    ),
    models.CheckConstraint(
        name="tournament_copy_whole",
        condition=Q(copy_mask=None, copy_carried=None) | Q(copy_mask__isnull=False, copy_carried__isnull=False),
    ),
]
