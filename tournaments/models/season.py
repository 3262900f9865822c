"""Seasons: a table over several events, its divisions, who runs it, and what its table is made of."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from bots.models import Bot
from tournaments.models.entrant import Entry
from tournaments.models.event import Tournament


class Season(models.Model):
    """A series of events with a table of its own.

    viewer_role: of the reader, where `seasons.queries` read it; no column.
    measure: what an event gives points for. place_points: of measure "places", hundredths of a point for place 1, 2,
    ..; other_points: for every place after those. best: how many results of a person count; 0: all. decay, loss: a
    result loses that many percent of its worth with each later event, or each month. previous: the season whose
    divisions it took over.
    """

    class State(models.TextChoices):
        OPEN = "open", _("running")
        CLOSED = "closed", _("closed")

    class Measure(models.TextChoices):
        PLACES = "places", _("a list of points by place")
        FIELD = "field", _("one point for everybody behind you, and one for taking part")
        POINTS = "points", _("the points won at the tables")
        VICTORIES = "victories", _("the share of the deals won")

    class Decay(models.TextChoices):
        NONE = "", _("never")
        EVENT = "event", _("with each later event")
        MONTH = "month", _("with each month")

    viewer_role: str | None = None
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=80)
    description = models.TextField(_("description"), blank=True, max_length=2000)
    visibility = models.CharField(
        max_length=8, choices=Tournament.Visibility.choices, default=Tournament.Visibility.PUBLIC
    )
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    measure = models.CharField(max_length=9, choices=Measure.choices, default=Measure.PLACES)
    place_points = models.JSONField(default=list, blank=True)
    other_points = models.PositiveIntegerField(default=0)
    best = models.PositiveSmallIntegerField(default=0)
    decay = models.CharField(max_length=5, choices=Decay.choices, default=Decay.NONE, blank=True)
    loss = models.PositiveSmallIntegerField(default=0)
    previous = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="followed_by")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    # The first process that finds this set brings the table up to date.
    is_stale = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["state", "-id"], name="season_listed", condition=Q(visibility="public"))]
        constraints = [
            models.CheckConstraint(
                name="season_decay_whole",
                condition=Q(decay="", loss=0) | (Q(decay__in=("event", "month")) & Q(loss__gte=1, loss__lte=99)),
            ),
            models.CheckConstraint(
                name="season_measure_known", condition=Q(measure__in=("places", "field", "points", "victories"))
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """True while its rules and events may change."""
        return self.state == self.State.OPEN

    @property
    def channel(self) -> str:
        """Its live channel."""
        return f"s:{self.slug}"


class SeasonRole(models.Model):
    """A right of a person in a season. An owner gives roles and closes it; a manager does everything else."""

    class Kind(models.TextChoices):
        OWNER = "owner", _("owner")
        MANAGER = "manager", _("manager")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="season_roles")
    role = models.CharField(max_length=7, choices=Kind.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "user"], name="season_role_once")]

    def __str__(self) -> str:
        return f"{self.user} {self.role}"


class SeasonDivision(models.Model):
    """A division of a season, the first the highest. up, down: how many change divisions when the season is closed."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60, blank=True)
    up = models.PositiveSmallIntegerField(default=0)
    down = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["season", "position"]
        constraints = [models.UniqueConstraint(fields=["season", "position"], name="season_division_once")]

    def __str__(self) -> str:
        return self.name or f"division {self.position}"


class SeasonEvent(models.Model):
    """An event of a season. weight: in percent.

    state: asked until an organiser of the event agrees. is_stale: its results are to be read again. counts: its
    results were read, so it is over and may be shown in this season; decay: what is left of its worth then, in
    ten-thousandths.
    """

    class State(models.TextChoices):
        ASKED = "asked", _("waits for the event's organiser")
        IN = "in", _("belongs to the season")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="in_seasons")
    state = models.CharField(max_length=5, choices=State.choices, default=State.IN)
    weight = models.PositiveSmallIntegerField(default=100)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(auto_now_add=True)
    is_stale = models.BooleanField(default=True)
    counts = models.BooleanField(default=False)
    decay = models.PositiveSmallIntegerField(default=10_000)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["season", "tournament"], name="season_event_once"),
            models.CheckConstraint(name="season_event_weight", condition=Q(weight__gte=1, weight__lte=1000)),
        ]
        indexes = [models.Index(fields=["season"], name="season_event_stale", condition=Q(is_stale=True))]

    def __str__(self) -> str:
        return f"{self.tournament} in {self.season}"


class SeasonPerson(models.Model):
    """A person of a season, and their row of its table.

    key: how they are recognised in several events (`seasons.identity`). is_assigned: somebody put them into this
    division; all others are in the lowest. The rest is derived from the events and may be worked out again at any time.
    total: hundredths of a point; row: order of display in the division, from 1.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="people")
    key = models.CharField(max_length=150)
    division = models.ForeignKey(SeasonDivision, on_delete=models.PROTECT, related_name="people")
    is_assigned = models.BooleanField(default=False)
    name = models.CharField(max_length=60)
    club = models.CharField(max_length=60, blank=True)
    # SET_NULL would lose who it was; an account that is deleted is blanked and keeps its row.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="in_seasons"
    )
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, null=True, blank=True, related_name="in_seasons")
    total = models.BigIntegerField(default=0)
    rank = models.PositiveIntegerField(default=0)
    shared = models.BooleanField(default=False)
    row = models.PositiveIntegerField(default=0)
    events_n = models.PositiveSmallIntegerField(default=0)
    counted_n = models.PositiveSmallIntegerField(default=0)
    wins = models.PositiveSmallIntegerField(default=0)
    best_place = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "key"], name="season_person_once")]
        indexes = [models.Index(fields=["division", "row"], name="season_person_order")]

    def __str__(self) -> str:
        return self.name


class SeasonResult(models.Model):
    """What an event says of one of its entries, as far as the season's rules may ask. Derived.

    person: whom it counts for. team: the entry that was ranked, where they sat in one. place, shared, field: in the
    final ranking of the whole event, how many have that place, and how many were ranked. points: hundredths; share:
    of the deals won, in ten-thousandths.
    """

    event = models.ForeignKey(SeasonEvent, on_delete=models.CASCADE, related_name="results")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    team = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    person = models.ForeignKey(SeasonPerson, on_delete=models.CASCADE, null=True, blank=True, related_name="results")
    place = models.PositiveIntegerField()
    shared = models.PositiveIntegerField(default=1)
    field = models.PositiveIntegerField()
    points = models.BigIntegerField(default=0)
    share = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "entry"], name="season_result_once")]

    def __str__(self) -> str:
        return f"{self.entry}: {self.place} of {self.field}"


class SeasonIdentity(models.Model):
    """An organiser's word on who is who. Taking it back leaves the row, so that the history shows both.

    kind "same": the person with the key `source` is the one with the key `target`; "apart": the entry `source`
    ("e:<uuid>") is somebody of their own. source_name, target_name: as they were shown then. source_uuid, division: of
    the person who was merged, the latter only if somebody had put them into it. It moves along while the row holds, to
    a target that nobody put into one; taking the row back restores both.
    """

    class Kind(models.TextChoices):
        SAME = "same", _("one person")
        APART = "apart", _("another person")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="identities")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=5, choices=Kind.choices)
    source = models.CharField(max_length=150)
    target = models.CharField(max_length=150, blank=True)
    source_name = models.CharField(max_length=60)
    target_name = models.CharField(max_length=60, blank=True)
    source_uuid = models.UUIDField(null=True, editable=False)
    division = models.ForeignKey(SeasonDivision, on_delete=models.SET_NULL, null=True, related_name="+")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "season identities"
        constraints = [
            # Of two organisers who merge one name into two people at once, the second is refused. Somebody who was told
            # apart may be merged with another person, so there are two rows then.
            models.UniqueConstraint(
                fields=["season", "kind", "source"], condition=Q(undone_at__isnull=True), name="season_identity_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source_name} = {self.target_name}"
