"""Announcements and clocks of rounds: what everybody at a tournament sees on the day."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q

from tournaments.models.event import Tournament
from tournaments.models.match import Round


class Announcement(models.Model):
    """An announcement that stands; a withdrawn one has no row. number: counted from 1 in its tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="announcements")
    number = models.PositiveIntegerField()
    text = models.CharField(max_length=280)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="announcement_number_once")]

    def __str__(self) -> str:
        return self.text


class RoundClock(models.Model):
    """The clock of a called round. stopped_s: how long it stood still before now; stopped_at: since when it does.

    by_event: it stands because the tournament is paused, and goes on with it.
    """

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="clock")
    began_at = models.DateTimeField()
    minutes = models.PositiveIntegerField()
    stopped_s = models.FloatField(default=0.0)
    stopped_at = models.DateTimeField(null=True, blank=True)
    by_event = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="round_clock_by_event_stands", condition=Q(by_event=False) | Q(stopped_at__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.minutes} minutes"

    @property
    def ends_at(self) -> datetime:
        """The moment when time is called, if it goes on from now (or from when it stopped) without a halt."""
        return self.began_at + timedelta(minutes=self.minutes, seconds=self.stopped_s)

    def left_s(self, now: datetime) -> float:
        """Return the seconds that are left; less than 0 once time was called."""
        # A clock that stands measures up to the moment it stopped: what passed since is added when it goes on.
        return (self.ends_at - (self.stopped_at or now)).total_seconds()
