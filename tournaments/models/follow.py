"""Things that a person follows: an event, a bot, a person with an account, somebody who plays in one event, a table."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from bots.models import Bot
from tournaments.models.entrant import Player
from tournaments.models.event import Tournament
from tournaments.models.match import Match

# Columns with foreign keys instead of a generic relation: the database cascades, and each pair is unique.
TARGETS = ("tournament", "bot", "person", "player", "match")
"""The columns that name what is followed; exactly one of them is set."""


def _only(name: str) -> Q:
    return Q(**{f"{other}__isnull": other != name for other in TARGETS})


class Follow(models.Model):
    """`user` follows one thing (decision 0057).

    person: an account, with its bots, its events and every table at which it says that it sits. player: somebody who
    is written down in an event and may have no account; a person is written down again in every event, so it is they
    in that event and nowhere else. match: one table.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="followers"
    )
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, null=True, blank=True, related_name="followers")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="followers"
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="followers")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="followers")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="follow_one_thing",
                condition=_only("tournament") | _only("bot") | _only("person") | _only("player") | _only("match"),
            ),
            # A NULL equals no other NULL: each of these constraints looks only at rows that follow that kind of thing.
            models.UniqueConstraint(fields=["user", "tournament"], name="follow_tournament_once"),
            models.UniqueConstraint(fields=["user", "bot"], name="follow_bot_once"),
            models.UniqueConstraint(fields=["user", "person"], name="follow_person_once"),
            models.UniqueConstraint(fields=["user", "player"], name="follow_player_once"),
            models.UniqueConstraint(fields=["user", "match"], name="follow_match_once"),
        ]
        indexes = [models.Index(fields=["user", "-id"], name="follow_newest")]

    def __str__(self) -> str:
        return f"{self.user} follows {self.kind}"

    @property
    def kind(self) -> str:
        """The one of `TARGETS` that is set."""
        return next(name for name in TARGETS if getattr(self, f"{name}_id") is not None)
