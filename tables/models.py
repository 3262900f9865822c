"""Live tables: matches that are played by seats which answer later.

The answers are the truth. What a table looks like is the fold of its decks and its answers (`tables.play.fold`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from activity.append_only import AppendOnly, AppendOnlyQuerySet
from bots.models import Bot, BotVersion
from tables.house import called
from tournaments.models import Match, Stage

MAX_NONCE: Final = 128


class LiveTable(models.Model):
    """A match that is played here. Its uuid, and its live channel, are those of the match that it becomes.

    ruleset: the engine's canonical JSON. secret: 32 bytes, committed to in `commitment` before anybody sits down;
    mix: the nonces of all seats, set when it is dealt; deal_set: the id that goes into the seed beside them, which is
    the uuid of the table. bank_ms, increment_ms: of the clock (`tables.play.clocks`). listed: it stands in the list of
    open tables. bots_from: when empty seats are filled with house bots. answered: how many rows of answers there are;
    events: how often something else changed at it. bot_asked_at: since when a bot has to answer; None while nobody or
    somebody else has to. deadline_at: when the sweep has to look at it. reason: why it was aborted.

    notify_at: when the player whose turn it is hears of it, where a move may take days; turn_notices: how often they
    have heard of this turn.

    stage: of a table of an event; its uuid is that of the match that it is played for, which is there before it.
    paused_at: since when it stands still, because its event is paused. asked_at: when the present question counts as
    asked, if a pause has moved that; None: when the last answer was written.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        DEALING = "dealing", _("dealing")
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")
        ABORTED = "aborted", _("called off")

    class Clock(models.TextChoices):
        CASUAL = "casual", _("no clock")
        LIVE = "live", _("live")
        DAYS = "days", _("days for a move")
        REMOTE = "remote", _("programs only")

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    preset = models.CharField(max_length=20)
    ruleset = models.TextField()
    seats_n = models.PositiveSmallIntegerField()
    clock = models.CharField(max_length=6, choices=Clock.choices, default=Clock.CASUAL)
    bank_ms = models.PositiveBigIntegerField(default=0)
    increment_ms = models.PositiveBigIntegerField(default=0)
    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, null=True, blank=True, related_name="live_tables")
    rated = models.BooleanField(default=False)
    listed = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    bots_from = models.DateTimeField(null=True, blank=True)
    secret = models.BinaryField()
    commitment = models.CharField(max_length=80)
    deal_set = models.UUIDField(default=uuid4, editable=False)
    mix = models.BinaryField(null=True, blank=True)
    dealt_at = models.DateTimeField(null=True, blank=True)
    answered = models.PositiveIntegerField(default=0)
    events = models.PositiveIntegerField(default=0)
    bot_asked_at = models.DateTimeField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    notify_at = models.DateTimeField(null=True, blank=True)
    turn_notices = models.PositiveSmallIntegerField(default=0)
    paused_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=20, blank=True)
    # Empty until the record is written, a moment after the last answer.
    match = models.OneToOneField(Match, on_delete=models.PROTECT, null=True, blank=True, related_name="live_table")
    rematch_of = models.OneToOneField(
        "tables.LiveTable", on_delete=models.PROTECT, null=True, blank=True, related_name="rematch"
    )

    seated: Sequence["LiveSeat"] = ()
    """Its seats in order, as this process read them when it locked the row; no column."""
    heard: int | None = None
    """The version of its channel with which this process has told what it just wrote; no column."""

    class Meta:
        indexes = [
            models.Index(fields=["-id"], name="table_waiting", condition=Q(state="open", listed=True)),
            # The sweep reads what is due, however many tables are over.
            models.Index(fields=["deadline_at"], name="table_due", condition=Q(deadline_at__isnull=False)),
            models.Index(fields=["notify_at"], name="table_to_notify", condition=Q(notify_at__isnull=False)),
            models.Index(fields=["bot_asked_at"], name="table_bot", condition=Q(bot_asked_at__isnull=False)),
            models.Index(fields=["id"], name="table_unrecorded", condition=Q(state="finished", match__isnull=True)),
            models.Index(
                fields=["stage"],
                name="table_of_event",
                condition=Q(stage__isnull=False, state__in=("open", "dealing", "playing")),
            ),
        ]

    def __str__(self) -> str:
        return str(self.uuid)

    @property
    def channel(self) -> str:
        """Its live channel: that of the match that it becomes."""
        return f"m:{self.uuid}"

    @property
    def is_watched_late(self) -> bool:
        """Return whether those who watch see it some answers later: where more than the game is at stake."""
        return self.rated or self.stage_id is not None

    @property
    def numbered(self) -> Sequence["LiveSeat"]:
        """Return its taken seats in order, the bots of one name numbered."""
        return number_seats(self.seats.all())

    @property
    def is_over(self) -> bool:
        """Return whether nothing will change at it any more."""
        return self.state in (self.State.FINISHED, self.State.ABORTED)


class LiveSeat(models.Model):
    """A taken seat of a table, `index` from 0 in order of play. Empty seats have no row.

    user, guest: of a person; guest: the id that a session without an account has. bot_version: of a bot, and of a
    remote program. nonce_hash: sent when they sat down ("sha256:.."); nonce: empty until it is shown; drawn_by: of
    `engine.record_fair`. seen_at: when they last asked for the table. address_mark, device_mark: keyed hashes of where
    somebody sat down at a rated table, and in which browser (`tables.view.alike`); emptied after a month.
    greeting: what they said last (`tables.actions.greeting`), after `greeted_after` answers of the table.
    """

    class Kind(models.TextChoices):
        PERSON = "person", _("person")
        BOT = "bot", _("bot")
        PROGRAM = "program", _("remote program")

    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=7, choices=Kind.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="live_seats"
    )
    guest = models.UUIDField(null=True, blank=True)
    name = models.CharField(max_length=60)
    bot_version = models.ForeignKey(
        BotVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="live_seats"
    )
    nonce_hash = models.CharField(max_length=80)
    nonce = models.CharField(max_length=MAX_NONCE, blank=True)
    drawn_by = models.CharField(max_length=7)
    seen_at = models.DateTimeField(null=True, blank=True)
    address_mark = models.CharField(max_length=64, blank=True)
    device_mark = models.CharField(max_length=64, blank=True)
    greeting = models.CharField(max_length=10, blank=True, default="")
    greeted_after = models.PositiveIntegerField(null=True, blank=True)

    number: int = 0
    """Which of several of one name it is, from 1 (`number_seats`); 0: the only one; no column."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="live_seat_once"),
            # NULLs differ: bots have neither, and only people are compared. A program's owner may sit there, too.
            models.UniqueConstraint(fields=["table", "user"], condition=Q(kind="person"), name="live_seat_user_once"),
            models.UniqueConstraint(fields=["table", "guest"], name="live_seat_guest_once"),
            models.CheckConstraint(
                name="live_seat_somebody",
                condition=Q(kind="person", bot_version__isnull=True) & (Q(user__isnull=False) | Q(guest__isnull=False))
                | Q(kind__in=("bot", "program"), bot_version__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["guest"], name="live_seat_guest", condition=Q(guest__isnull=False)),
            # What staff look through, and what the sweep empties.
            models.Index(fields=["-table"], name="live_seat_marked", condition=~Q(device_mark="")),
        ]
        ordering = ["table", "index"]

    def __str__(self) -> str:
        return f"seat {self.index + 1}"

    @property
    def called(self) -> str:
        """Return what people read at this seat, in their language."""
        return called(self.name, self.number) if self.kind == self.Kind.BOT else self.name


def number_seats(found: Iterable[LiveSeat]) -> list[LiveSeat]:
    """Number the bots of one name among the seats of a table, and return them."""
    seats = list(found)
    bots = Counter(seat.name for seat in seats if seat.kind == LiveSeat.Kind.BOT)
    numbers = {name: count(1) for name, n in bots.items() if n > 1}
    for seat in seats:
        is_one_of_several = seat.kind == LiveSeat.Kind.BOT and seat.name in numbers
        seat.number = next(numbers[seat.name]) if is_one_of_several else 0
    return seats


class Answer(AppendOnly):
    """One row of the log of a table: the answer of a seat to its question, or that it forfeited.

    n: from 0 in the order of the table. index: into the legal actions; None for a forfeit, whose reason is `code`.
    at: when it was committed to; took_ms: what it cost the seat's clock.
    """

    table = models.ForeignKey(LiveTable, on_delete=models.PROTECT, related_name="answers")
    n = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    index = models.PositiveSmallIntegerField(null=True, blank=True)
    code = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()
    took_ms = models.PositiveBigIntegerField(default=0)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        constraints = [
            # What makes an answer one answer, however many processes write it at the same moment.
            models.UniqueConstraint(fields=["table", "n"], name="answer_once"),
            models.CheckConstraint(
                name="answer_or_forfeit",
                condition=Q(index__isnull=False, code="") | Q(index__isnull=True) & ~Q(code=""),
            ),
        ]
        ordering = ["table", "n"]

    def __str__(self) -> str:
        return f"answer {self.n}"


class Program(models.Model):
    """A remote program, which answers over HTTPS: what it plays, and who may play against it (decision 0141).

    version: the one that stands at its seats and in results; retired with the program. presets, clocks: ids; seats_min,
    seats_max: players at a table; tables_most: tables at which it plays at a time. plays_ladder: the service pairs it
    with others of its strength. seen_at: when its stream was last open.
    """

    class Takes(models.TextChoices):
        ANYBODY = "anybody", _("people and programs")
        PROGRAMS = "programs", _("programs only")
        NOBODY = "nobody", _("nobody")

    bot = models.OneToOneField(Bot, on_delete=models.PROTECT, related_name="program")
    version = models.OneToOneField(BotVersion, on_delete=models.PROTECT, related_name="program")
    presets = models.JSONField(default=list)
    seats_min = models.PositiveSmallIntegerField(default=2)
    seats_max = models.PositiveSmallIntegerField(default=2)
    clocks = models.JSONField(default=list)
    tables_most = models.PositiveSmallIntegerField(default=1)
    takes = models.CharField(max_length=8, choices=Takes.choices, default=Takes.ANYBODY)
    plays_ladder = models.BooleanField(default=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        # The service looks for programs to pair among those whose streams are open.
        indexes = [models.Index(fields=["-seen_at"], name="program_seen", condition=Q(seen_at__isnull=False))]

    def __str__(self) -> str:
        return self.bot.name

    @property
    def channel(self) -> str:
        """The live channel on which its own stream hears of challenges and tables."""
        return program_channel(self.version_id)


def program_channel(version: int) -> str:
    """Return the live channel of the program that this version stands for."""
    return f"p:{version}"


class TableChallenge(models.Model):
    """A program is asked to sit down at an open table. by: the name of who asks, "" for the ladder of programs.

    by_program: the program that asks, if it is one.
    answer: "" as long as it has not answered; the rest follows from the table (`tables.programs.challenges`).
    """

    class Reply(models.TextChoices):
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="challenges")
    program = models.ForeignKey(Program, on_delete=models.PROTECT, related_name="challenges")
    by = models.CharField(max_length=60, blank=True)
    by_program = models.ForeignKey(Program, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    answer = models.CharField(max_length=8, choices=Reply.choices, blank=True)
    reason = models.CharField(max_length=20, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "program"], name="challenge_once")]
        indexes = [models.Index(fields=["program"], name="challenge_waits", condition=Q(answer=""))]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"challenge of {self.program}"
