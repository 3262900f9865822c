"""What a person follows. Nothing is sent by it yet: it fills the page "what I follow"."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from bots.models import Bot
from tournaments.models.event import Tournament


class Follow(models.Model):
    """`user` follows one tournament or one bot."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="followers"
    )
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, null=True, blank=True, related_name="followers")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="follow_one_thing",
                condition=Q(tournament__isnull=False, bot__isnull=True) | Q(tournament__isnull=True, bot__isnull=False),
            ),
            models.UniqueConstraint(fields=["user", "tournament"], name="follow_tournament_once"),
            models.UniqueConstraint(fields=["user", "bot"], name="follow_bot_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} follows {self.tournament or self.bot}"
