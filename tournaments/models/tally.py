"""Numbers of matches and entries in each state, and of players by club, so that no page has to count them.

Written by the database itself, in the statement that changes what is counted (tournaments/tallies.py): nobody else
writes them. The number of something is the sum of its rows; the sweep adds up what has piled up.
"""

from django.db import models

from tournaments.models.entrant import Entry
from tournaments.models.event import Stage, Tournament
from tournaments.models.match import Match, Round


class Tally(models.Model):
    """A change of a number: `n` more (or fewer).

    is_fresh: not added up yet. Rows of a deleted stage add up to nothing and go with it.
    """

    n = models.IntegerField()
    is_fresh = models.BooleanField(default=True)

    class Meta:
        abstract = True


class MatchTally(Tally):
    """Matches of a stage in one of its rounds (or in none) in one state."""

    # No constraint and no cascade: the trigger of a deleted match writes a row that names its stage, which may go in
    # the same transaction.
    stage = models.ForeignKey(Stage, on_delete=models.DO_NOTHING, db_constraint=False, related_name="match_tallies")
    round = models.ForeignKey(
        Round,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        null=True,
        blank=True,
        related_name="match_tallies",
    )
    state = models.CharField(max_length=12, choices=Match.State.choices)

    class Meta:
        indexes = [
            # Small: the sweep empties it. The next one finds the stages that have something queued.
            models.Index(fields=["id"], name="match_tally_fresh", condition=models.Q(is_fresh=True)),
            models.Index(fields=["stage"], name="match_tally_queued", condition=models.Q(state="queued")),
        ]

    def __str__(self) -> str:
        return f"{self.n:+} {self.state}"


class ClubTally(Tally):
    """Players of a club, "" for those without one: which clubs there may be, without a look at all players."""

    club_key = models.CharField(max_length=120)

    class Meta:
        indexes = [models.Index(fields=["id"], name="club_tally_fresh", condition=models.Q(is_fresh=True))]

    def __str__(self) -> str:
        return f"{self.n:+} {self.club_key}"


class EntryTally(Tally):
    """Entries of an event in one state."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.DO_NOTHING, db_constraint=False, related_name="entry_tallies"
    )
    state = models.CharField(max_length=12, choices=Entry.State.choices)

    class Meta:
        indexes = [models.Index(fields=["id"], name="entry_tally_fresh", condition=models.Q(is_fresh=True))]

    def __str__(self) -> str:
        return f"{self.n:+} {self.state}"
