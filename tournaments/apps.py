from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    """The `tournaments` app."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """After every `migrate` let the database count by itself (tournaments/tallies.py)."""
        post_migrate.connect(_count, sender=self)


def _count(using: str, **_kwargs: Any) -> None:
    from tournaments.tallies import put_up

    put_up(connections[using])
