"""Rounds, deal sets, matches and their seats. A match row is also its place in the queue."""

import uuid
from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from bots.models import Blob, BotVersion, Claimable
from tournaments.models.entrant import Entry, Player
from tournaments.models.event import EarlierSecret, Stage


class Round(models.Model):
    """A round of pairings. `plan` is the planner's own account (pods, byes, reasons); `quality` its figures."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        PLAYING = "playing", _("playing")
        COMPLETE = "complete", _("complete")
        LOCKED = "locked", _("locked")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    plan = models.JSONField(default=dict)
    quality = models.JSONField(default=dict)
    rng_seed = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="round_number_once")]
        ordering = ["stage", "number"]

    def __str__(self) -> str:
        return f"round {self.number}"


class DealSet(models.Model):
    """One match seed, played in one or more legs. `commit` = "sha256:" of the seed; revealed when all legs are done.

    earlier: the secret it was made from, if the stage has another one by now.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="deal_sets")
    commit = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    revealed_at = models.DateTimeField(null=True, blank=True)
    earlier = models.ForeignKey(  # the deals of before stay provable after another secret has begun
        EarlierSecret, on_delete=models.SET_NULL, null=True, blank=True, related_name="deal_sets"
    )

    def __str__(self) -> str:
        return str(self.uuid)


class Match(Claimable):
    """One sitting. States: tournaments.md section 3; people are shown *confirmed* bot matches as finished."""

    class State(models.TextChoices):
        PENDING = "pending", _("scheduled")
        READY = "ready", _("scheduled")
        QUEUED = "queued", _("queued")
        CLAIMED = "claimed", _("playing")
        QUARANTINED = "quarantined", _("held")
        CALLED = "called", _("called")
        PLAYING = "playing", _("playing")
        REPORTED = "reported", _("reported")
        DISPUTED = "disputed", _("disputed")
        CONFIRMED = "confirmed", _("finished")
        VOID = "void", _("cancelled")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="matches")
    # PROTECT: a round is deleted only after its matches, so that no result is lost with it.
    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, blank=True, related_name="matches")
    # Empty at a table of people, who deal real cards.
    deal_set = models.ForeignKey(DealSet, on_delete=models.PROTECT, null=True, blank=True, related_name="matches")
    leg = models.PositiveSmallIntegerField(default=1)
    extra = models.PositiveSmallIntegerField(
        default=0, help_text="which extra deal of a knock-out match that ended level; 0: the match itself"
    )
    table_no = models.PositiveSmallIntegerField(null=True, blank=True)
    station = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="of a bracket that flows: the table of the hall, once it is called"
    )
    seats_n = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=12, choices=State.choices, default=State.PENDING)
    why = models.CharField(max_length=300, blank=True, help_text="why these entries meet, from the planner")

    class Meta:
        constraints = [
            # NULLs differ: matches of a ladder have no round, and only those of rounds are compared.
            models.UniqueConstraint(fields=["round", "table_no", "extra", "leg"], name="match_table_once"),
            models.UniqueConstraint(fields=["deal_set", "leg"], name="match_leg_once"),
        ]
        indexes = [
            # The queue is this index: claims read it in order and it holds queued rows only, however many are finished.
            models.Index(fields=["priority", "id"], name="match_queue", condition=Q(state="queued")),
            models.Index(fields=["stage", "deal_set"], name="match_stage_sets"),
            models.Index(fields=["stage", "-finished_at", "-id"], name="match_over", condition=Q(state="confirmed")),
            models.Index(fields=["-finished_at", "-id"], name="match_fresh", condition=Q(state="confirmed")),
            models.Index(fields=["stage"], name="match_now", condition=Q(state__in=("claimed", "playing"))),
            models.Index(fields=["state", "lease"], name="match_claimed", condition=Q(state="claimed")),
            models.Index(fields=["stage"], name="match_held", condition=Q(state="quarantined")),
        ]

    def __str__(self) -> str:
        return str(self.uuid)

    def get_state_display(self) -> str:  # type: ignore[no-redef]  # Django makes one only where there is none
        """Return the word for its state. Django's own translates and compares all states to find one, in every line."""
        return str(self.State(self.state).label)

    @property
    def channel(self) -> str:
        """Its live channel."""
        return f"m:{self.uuid}"

    @property
    def known_table(self) -> int | None:
        """The number by which people know its table: of the one that they were called to, else of its round."""
        return self.station or self.table_no

    @property
    def shown_table(self) -> int | None:
        """The table at which people sit down; None while they wait for one."""
        if self.station is not None or not (self.stage.flows and self.stage.tournament.hall_tables):
            return self.station or self.table_no
        return None

    @property
    def is_at_table_here(self) -> bool:
        """True if people play it on this site now, or are to sit down: its table has the uuid of the match."""
        is_on = self.state in (self.State.CALLED, self.State.PLAYING)
        return is_on and self.deal_set_id is None and self.stage.is_on_site

    @property
    def readers(self) -> str:
        """The channel of its event."""
        return self.stage.tournament.channel


# Newest first, written so that only its own index matches it: by `-id` PostgreSQL would walk all seats from the newest
# on, which are those of others, or not played.
NEWEST: Final = F("id") * -1
"""The order of seats, the newest first."""


class Seat(models.Model):
    """A place at the table, `index` from 0 in order of play. `points`, `victories`: as the standings count them.

    `raw_points`, `raw_victories` are the game's own figures before a forfeit. `place`: 1 is best, equal places share
    a number. `fault`: {"code", "deal", "move"} of a forfeit. `log`: the owner's private log of the counted attempt;
    `log_marks`: [[deal, move, offset], ..]. `board`: of teams whose members sit apart, from 1; without a `player`
    nobody sits there, and the board is a no-show.
    """

    class Outcome(models.TextChoices):
        OPEN = "open", _("open")
        PLAYED = "played", _("played")
        FORFEIT = "forfeit", _("forfeit")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="seats")
    # In a bracket: the match whose entry at `feed_place` takes this seat once it is over.
    feed_match = models.ForeignKey(Match, on_delete=models.PROTECT, null=True, blank=True, related_name="fed_seats")
    feed_place = models.PositiveSmallIntegerField(null=True, blank=True)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="seats")
    bot_version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="seats")
    points = models.IntegerField(null=True, blank=True)
    victories = models.IntegerField(null=True, blank=True)
    raw_points = models.IntegerField(null=True, blank=True)
    raw_victories = models.IntegerField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.OPEN)
    fault = models.JSONField(null=True, blank=True)
    version_n = models.PositiveIntegerField(null=True, blank=True, help_text="in a ladder: which version plays")
    board = models.PositiveSmallIntegerField(null=True, blank=True, help_text="which board of a team that sits apart")
    cpu_ms = models.PositiveIntegerField(null=True, blank=True)
    log = models.ForeignKey(Blob, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    log_marks = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_once"),
            # A seat is fed by a match and a place in it, or by nothing.
            models.CheckConstraint(
                name="seat_feed_whole",
                condition=Q(feed_match__isnull=True, feed_place__isnull=True)
                | Q(feed_match__isnull=False, feed_place__isnull=False),
            ),
        ]
        indexes = [
            models.Index(F("bot_version"), NEWEST, name="seat_latest", condition=~Q(outcome="open")),
            models.Index(fields=["bot_version"], name="seat_fault", condition=Q(fault__isnull=False)),
        ]
        ordering = ["match", "index"]

    def __str__(self) -> str:
        return f"seat {self.index + 1}"
