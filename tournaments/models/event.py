"""A tournament, its roles, its stages and the rulesets they play."""

import uuid
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.standings.model import EDITION
from tournaments.models.draw_settings import DRAW_CONSTRAINTS, DrawSettings
from tournaments.models.settings import SETTINGS_CONSTRAINTS, TournamentSettings
from tournaments.models.stage_names import in_readers_words
from tournaments.models.where import WHERE_CONSTRAINTS, WhereSettings

if TYPE_CHECKING:
    from core.formats.stage_format import Format


class Ruleset(models.Model):
    """A game with every option resolved. Insert-only; `sha256` (hex) is the hash of `canonical` (the engine's form)."""

    game = models.CharField(max_length=20)
    canonical = models.TextField()
    sha256 = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"{self.game} {self.sha256[:8]}"


# Lists show what is on, what can be entered, what is announced, what is over; 4 is shown only if asked for: the
# archive, and what was called off before it began. The indexes below are over this very expression.
SHELF: Final = Case(
    When(state__in=("running", "paused"), then=Value(0)),
    When(state="registration", then=Value(1)),
    When(state="published", then=Value(2)),
    When(state="archived", then=Value(4)),
    When(state="cancelled", started_at=None, then=Value(4)),
    default=Value(3),
)
"""The order of lists of events."""
# Indexes have this as their condition: PostgreSQL uses them only for a query that says the same.
LISTED: Final = Q(visibility="public") & ~Q(state="draft")
"""Events that lists name to everybody; drafts and comparisons are not among them."""


ENTRIES_CLOSED: Final = "closed"
"""The word by which pages call the state "registration" after the hour at which entries close."""


class Tournament(TournamentSettings):
    """An event ("tournament" in the code, "event" to people). States: tournaments.md section 3.

    starts_at, venue: when and where people are to come, as the organiser says; nothing begins on its own then.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("announced")
        REGISTRATION = "registration", _("open")
        RUNNING = "running", _("running")
        PAUSED = "paused", _("paused")
        FINISHED = "finished", _("finished")
        ARCHIVED = "archived", _("archived")
        CANCELLED = "cancelled", _("cancelled")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public")
        UNLISTED = "unlisted", _("unlisted: anyone with the address")
        PRIVATE = "private", _("private: organisers, entrants and people they invite")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=80)
    description = models.TextField(_("description"), blank=True, max_length=2000)
    state = models.CharField(max_length=12, choices=State.choices, default=State.DRAFT, db_index=True)
    visibility = models.CharField(max_length=8, choices=Visibility.choices, default=Visibility.PUBLIC)
    time_zone = models.CharField(max_length=40, default="UTC")
    starts_at = models.DateTimeField(_("begins"), null=True, blank=True)
    venue = models.CharField(_("where"), max_length=120, blank=True)
    min_entries = models.PositiveSmallIntegerField(_("minimum entries"), default=2)
    max_entries = models.PositiveSmallIntegerField(_("maximum entries"), default=64)
    entries_per_owner = models.PositiveSmallIntegerField(_("entries per person"), default=2)
    entries_close_at = models.DateTimeField(_("entries close"), null=True, blank=True)
    # Raised by every change of state (`lifecycle.transitions`), so that a form of an older page is refused.
    row_version = models.PositiveIntegerField(default=1)
    reason = models.CharField(max_length=300, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [*SETTINGS_CONSTRAINTS]
        indexes = [
            models.Index(SHELF, F("id").desc(), name="tournament_shelf"),
            models.Index(SHELF, F("id").desc(), name="tournament_listed", condition=LISTED),
            models.Index(fields=["-id"], name="tournament_public", condition=LISTED),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def channel(self) -> str:
        """Its live channel."""
        return f"t:{self.slug}"

    @property
    def has_open_entries(self) -> bool:
        """True once entries were opened, until the hour at which they close."""
        return self.state == self.State.REGISTRATION and not self._has_closed

    @property
    def has_closed_entries(self) -> bool:
        """True while it waits for its start and the clock has closed its entries."""
        return self.state == self.State.REGISTRATION and self._has_closed

    @property
    def _has_closed(self) -> bool:
        return self.entries_close_at is not None and self.entries_close_at <= timezone.now()

    @property
    def shown_state(self) -> str:
        """Its state as pages show it: ENTRIES_CLOSED, else the stored one."""
        return ENTRIES_CLOSED if self.has_closed_entries else self.state

    def get_state_display(self) -> str:  # type: ignore[no-redef]  # Django makes one only where there is none
        """Return the word for `shown_state`, for every place that names the state of an event."""
        return str(_("entries closed") if self.has_closed_entries else self.State(self.state).label)


class Role(models.Model):
    """A right of a person in a tournament. Owner and director organise; arbiter and scorer work at tables."""

    class Kind(models.TextChoices):
        OWNER = "owner", _("owner")
        DIRECTOR = "director", _("director")
        ARBITER = "arbiter", _("arbiter")
        SCORER = "scorer", _("scorer")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="roles")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="roles")
    role = models.CharField(max_length=10, choices=Kind.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "tournament", "role"], name="role_once")]

    def __str__(self) -> str:
        return f"{self.user} {self.role}"


def stage_kinds() -> list[tuple[str, Any]]:
    """Return the formats and what people call them, in the order of the registry."""
    from core.formats import FORMATS  # half a second, which processes that draw nothing never need

    return [(each.id, _(each.label)) for each in FORMATS.values()]


class PlayedStages(models.Manager["Stage"]):
    """Stages that were not called off: the stages of an event. `tournament.stages` is this manager."""

    def get_queryset(self) -> models.QuerySet["Stage"]:
        """Return every stage that was not called off."""
        return super().get_queryset().exclude(state=Stage.State.VOID)


class Stage(DrawSettings, WhereSettings):
    """One part of a tournament: a kind, a ruleset, table sizes, scoring. Frozen once active.

    `secret` (32 bytes) is committed to in `commitment` ("sha256:..") before entries close and shown only when the
    stage is closed; `mix` is the entrants' nonces folded in (tournaments.md section 11), set when it is seeded.
    `clock` names one of `bots.runner.spec.CLOCKS` or is "custom"; `clock_figures` keeps what it is made of, so that a
    later change of a named clock changes no stage (empty in rows from before: the named clock as it is).

    A stage that was called off stays as it was with another `order` (`VOID_ORDER` more, each time); another row stands
    in its place. A secret shown too early is followed by a new one (`EarlierSecret`): `lots_seed` is what
    lots go on to be drawn from (the first commitment), `draw_seed` what a bracket goes on to be drawn from.
    `seeding_order`: by hand, entries (UUIDs), the first first; `seeding_ratings`: by entry, of those who have one.
    `lots_rounds`: up to this round of a bracket lots decided who goes on from a level match, as once was the rule.
    """

    # Called-off stages keep (tournament, order) unique by moving 100, 200 .. up; `number` is what is left over.
    VOID_ORDER = 100
    # The largest number of a PositiveSmallIntegerField: "all rounds that there can be".
    ALL_ROUNDS = 32_767

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        SEEDED = "seeded", _("drawn")
        ACTIVE = "active", _("active")
        SETTLING = "settling", _("being drawn")
        CLOSED = "closed", _("closed")
        VOID = "void", _("cancelled")

    class Scoring(models.TextChoices):
        CUMULATIVE = "cumulative", _("cumulative points")
        ROUND_VICTORY = "round_victory", _("round victories")
        PLACE = "place", _("places")

    class Seeding(models.TextChoices):
        """By seed and then first come first (in later stages by rank); lots; set by hand; by rating."""

        ENTERED = ""
        DRAW = "draw"
        HAND = "hand"
        RATING = "rating"

    class Legs(models.TextChoices):
        SINGLE = "single", _("each deal once")
        CYCLIC = "cyclic", _("duplicate: each deal from every seat")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    order = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=60, blank=True)
    kind = models.CharField(max_length=20, choices=stage_kinds)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PLANNED)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="stages")
    preset = models.CharField(max_length=20)
    seats_min = models.PositiveSmallIntegerField()
    seats_pref = models.PositiveSmallIntegerField()
    seats_max = models.PositiveSmallIntegerField()
    rounds_planned = models.PositiveSmallIntegerField(default=1, help_text="rounds, cycles, lives, or deal sets")
    advance = models.PositiveSmallIntegerField(default=1, help_text="how many of a table go on, or keep their life")
    third_place = models.BooleanField(default=False, help_text="a match of the beaten semifinalists")
    consolation = models.BooleanField(default=False, help_text="a knock-out of those who lose in the first round")
    scoring = models.CharField(max_length=16, choices=Scoring.choices)
    tie_breaks = models.JSONField(default=list)
    bye_policy = models.CharField(max_length=12, default="half")
    edition = models.PositiveSmallIntegerField(default=EDITION, help_text="of the rules that standings go by")
    clock = models.CharField(max_length=20, default="standard")
    clock_figures = models.JSONField(default=dict, blank=True)
    legs = models.CharField(max_length=10, choices=Legs.choices, default=Legs.SINGLE)
    groups_n = models.PositiveSmallIntegerField(default=1, help_text="groups that play among themselves")
    ends_at = models.DateTimeField(null=True, blank=True, help_text="of a ladder: nothing is drawn after it")
    waits = models.BooleanField(default=False, help_text="drawn by the organiser, not as soon as it can be")
    flows = models.BooleanField(default=False, help_text="of a bracket: each match is drawn once its sides are known")
    secret = models.BinaryField(null=True, blank=True)
    commitment = models.CharField(max_length=80, blank=True)
    mix = models.BinaryField(null=True, blank=True)
    revealed_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True, help_text="why it was called off")
    lots_seed = models.CharField(max_length=80, blank=True)
    draw_seed = models.CharField(max_length=64, blank=True)
    lots_rounds = models.PositiveSmallIntegerField(default=0)
    seeding = models.CharField(max_length=6, choices=Seeding.choices, default=Seeding.ENTERED, blank=True)
    seeding_order = models.JSONField(default=list, blank=True)
    seeding_ratings = models.JSONField(default=dict, blank=True)

    # `objects` has the stages that were called off, too. A foreign key to such a stage (`match.stage`) still finds it:
    # Django follows it with the plain base manager, and only the reverse side (`tournament.stages`) with the default.
    objects = models.Manager["Stage"]()
    played = PlayedStages()

    class Meta:
        default_manager_name = "played"
        indexes = [models.Index(fields=["preset", "seats_pref"], name="stage_preset")]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "order"], name="stage_order_once"),
            *DRAW_CONSTRAINTS,
            *WHERE_CONSTRAINTS,
            models.CheckConstraint(name="stage_seeding_known", condition=Q(seeding__in=("", "draw", "hand", "rating"))),
            # Two to seven seats are what the games allow (`engine.games`).
            models.CheckConstraint(
                name="stage_seats_in_order",
                condition=Q(seats_min__gte=2, seats_max__lte=7)
                & Q(seats_min__lte=F("seats_pref"))
                & Q(seats_pref__lte=F("seats_max")),
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"stage {self.number}"

    @property
    def title(self) -> str:
        """Its name in the reader's language where it is a usual one; "" for none."""
        return in_readers_words(self.name)

    @property
    def format(self) -> "Format":
        """The description of its format."""
        from core.formats import format_of  # half a second, which processes that draw nothing never need

        return format_of(self.kind)

    @property
    def number(self) -> int:
        """Its number among the event's stages, from 1, also after it was called off."""
        return self.order % self.VOID_ORDER


class EarlierSecret(models.Model):
    """A secret of a stage that became public before the stage was over: its signature was undone.

    Its decks were made from it; all that is drawn after that is made from the next one. number: from 1.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="earlier_secrets")
    number = models.PositiveSmallIntegerField()
    secret = models.BinaryField()
    commitment = models.CharField(max_length=80)
    revealed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="earlier_secret_once")]
        ordering = ["stage", "number"]

    def __str__(self) -> str:
        return f"secret {self.number}"
