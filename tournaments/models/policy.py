"""An owner's permissions for one bot: who may challenge it, and where the service enters it."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from bots.models import Bot


class BotPolicy(models.Model):
    """An owner's wishes about one bot; without a row the defaults hold.

    challenges: whose bots may be compared with it. in_ladders: whether it enters the official ladders on its own.
    """

    class Challenges(models.TextChoices):
        ANYBODY = "anybody", _("anybody may challenge it")
        NOBODY = "nobody", _("only its owner")

    bot = models.OneToOneField(Bot, on_delete=models.CASCADE, related_name="policy")
    challenges = models.CharField(max_length=8, choices=Challenges.choices, default=Challenges.ANYBODY)
    in_ladders = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"policy of {self.bot}"
