"""People and bots who play: players, their entries, and entries in a stage."""

import uuid
from collections.abc import Iterable
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils.translation import gettext_lazy as _

from bots.models import Bot, BotVersion
from tournaments.models.chain import Group, Progression
from tournaments.models.club import ClubKeyField
from tournaments.models.event import Stage, Tournament


class Player(models.Model):
    """A person or a bot that can be entered. Erasure blanks personal fields and keeps the row.

    A person gets a new row in every event. `user`: the account whose owner says that it is they, so that their events
    are rated as those of one person.
    """

    class Kind(models.TextChoices):
        HUMAN = "human", _("person")
        BOT = "bot", _("bot")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="players"
    )
    bot = models.OneToOneField(Bot, on_delete=models.PROTECT, null=True, blank=True, related_name="player")
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=6, choices=Kind.choices)
    club = models.CharField(max_length=60, blank=True)
    club_key = ClubKeyField(max_length=120, blank=True, default="", editable=False)

    class Meta:
        # Clubs are what stands here; pages of clubs look for all players of one.
        indexes = [models.Index(fields=["club_key"], name="player_club_key", condition=~Q(club_key=""))]
        constraints = [
            models.CheckConstraint(name="player_bot_has_bot", condition=~Q(kind="bot") | Q(bot__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Write the club and its key together."""
        if update_fields is not None and "club" in update_fields:
            update_fields = {*update_fields, "club_key"}
        super().save(*args, update_fields=update_fields, **options)

    @property
    def line(self) -> int:
        """The person that ratings take them for: the account, or somebody who is known from this one event."""
        return line_of_player(self.pk, self.user_id)


def line_of_user(user: int) -> int:
    """Return the line of an account: an even number."""
    return 2 * user


def line_of_player(player: int, user: int | None) -> int:
    """Return the line of a player with or without an account: odd numbers are nobody's account."""
    return line_of_user(user) if user is not None else 2 * player + 1


# States of an entry that plays, or will play.
IN_PLAY: Final = ("entered", "active")
"""States of an entry that plays, or will play."""
# Lists of entries begin with these. The index `entry_order` is over this very expression.
IN_PLAY_FIRST: Final = Case(When(state__in=IN_PLAY, then=Value(0)), default=Value(1))
"""How lists of entries begin."""


class Entry(models.Model):
    """The thing that is ranked. A bot's version is pinned when entries close; `seed` orders the entries from 1.

    `nonce`: text an entrant may add to the stage's randomness, public once entries close. A team is an entry of its
    own with `members`; each of them keeps the entry they came with, in state "partnered" while they are in a team.
    """

    class State(models.TextChoices):
        WAITLISTED = "waitlisted", _("on the waiting list")
        ENTERED = "entered", _("entered")
        ACTIVE = "active", _("playing")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")
        PARTNERED = "partnered", _("in a team")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    # PROTECT: erasure blanks a player and keeps the row, because results go on to name it.
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    bot_version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="entries")
    seed = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=State.choices, default=State.ENTERED)
    nonce = models.CharField(max_length=64, blank=True)
    copy = models.PositiveSmallIntegerField(default=0, help_text="in a comparison a bot sits several times at a table")
    fixed_table = models.PositiveIntegerField(null=True, blank=True, help_text="where it plays whenever that is free")
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "player", "copy"], name="entry_once_per_player")]
        indexes = [models.Index(F("tournament"), IN_PLAY_FIRST, F("seed"), F("id"), name="entry_order")]

    def __str__(self) -> str:
        return self.player.name


class BirthYear(models.Model):
    """The year in which the person of an entry was born: for the rule about partners, read by organisers alone.

    A table of its own, so that no list, export or note of undoing has it by reading entries.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="birth")
    year = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="birth_year_bounds", condition=Q(year__gte=1900, year__lte=2100)),
        ]

    def __str__(self) -> str:
        return f"of {self.entry_id}"


class StageEntry(models.Model):
    """An entry in a stage, from `joined_round` to before `left_round`, in one of its groups if it has several.

    came_by, came_place, by_lots: the way it came from the stage before, its place there (in its group), and whether
    only lots told it apart from others on the line. carry_in: what it brings along of the figure that ranks first;
    carry_also: of the others, {"points" | "victories" | "place": exact rational}. strength: its rating when it joined,
    where the stage looks at it (tie-break `perf`); empty where it had none.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="stage_entries")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="stage_entries")
    seed = models.PositiveIntegerField()
    # RESTRICT, not PROTECT: both go when their stage does (CASCADE), and never before the rows that name them.
    group = models.ForeignKey(Group, on_delete=models.RESTRICT, null=True, blank=True, related_name="stage_entries")
    came_by = models.ForeignKey(Progression, on_delete=models.RESTRICT, null=True, blank=True, related_name="brought")
    came_place = models.PositiveIntegerField(null=True, blank=True)
    by_lots = models.BooleanField(default=False)
    # Text, because the standings compare exact fractions and a float would round them
    carry_in = models.CharField(max_length=40, default="0", help_text="exact rational, e.g. 7/2")
    carry_also = models.JSONField(default=dict, blank=True)
    strength = models.CharField(max_length=20, blank=True, default="", help_text="exact rational, e.g. 2531/100")
    joined_round = models.PositiveSmallIntegerField(default=1)
    left_round = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="stage_entry_once"),
            # An entry that came from the stage before has both, one of the first stage none: a draw that is made again
            # needs both.
            models.CheckConstraint(
                name="stage_entry_way_whole",
                condition=Q(came_by__isnull=True, came_place__isnull=True)
                | Q(came_by__isnull=False, came_place__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry} in {self.stage}"


class RequestedBye(models.Model):
    """A round that an entry sits out by arrangement, known before the draw, and what it is worth."""

    class Worth(models.TextChoices):
        NOTHING = "0"
        HALF = "1/2"
        FULL = "1"

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="requested_byes")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="requested_byes")
    round_number = models.PositiveIntegerField()
    worth = models.CharField(max_length=3, choices=Worth.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry", "round_number"], name="requested_bye_once"),
            models.CheckConstraint(name="requested_bye_worth_known", condition=Q(worth__in=("0", "1/2", "1"))),
        ]

    def __str__(self) -> str:
        return f"round {self.round_number}: {self.worth}"
