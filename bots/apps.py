from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


class BotsConfig(AppConfig):
    """The `bots` app."""

    name = "bots"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Hear of accounts; after every `migrate` let the database guard what may not change (bots/guards.py)."""
        from bots import domain_events, receivers  # noqa: F401  # importing the one registers its classes

        receivers.connect()
        post_migrate.connect(_guard, sender=self)


def _guard(using: str, **_kwargs: Any) -> None:
    from bots.guards import put_up

    put_up(connections[using])
