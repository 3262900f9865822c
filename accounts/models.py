"""People who sign in. Everything else points here; this app imports none of the others."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """Somebody with an account: an author, an organiser, a follower, an operator (`is_staff`)."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("as my device")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    display_name = models.CharField(_("name shown to others"), max_length=60, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)
    theme = models.CharField(_("theme"), max_length=8, choices=Theme.choices, default=Theme.SYSTEM)
    letter_keys = models.BooleanField(_("single-letter shortcuts"), default=True)

    @property
    def shown_name(self) -> str:
        """The name others see: the display name, else the user name."""
        return self.display_name or self.username
