from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    """The `tournaments` app."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the database count after every `migrate`, and let the workers' account do its work.

        tournaments/tallies.py, tournaments/worker_role.py
        """
        post_migrate.connect(_count, sender=self)
        post_migrate.connect(_grant, sender=self)
        import_module("tournaments.domain_events")
        import_module("tournaments.progress.receivers")
        import_module("tournaments.entries.bots")
        import_module("tournaments.invitations.letters")
        import_module("tournaments.registration.letters")


def _count(using: str, **_kwargs: Any) -> None:
    from tournaments.tallies import put_up

    put_up(connections[using])


def _grant(using: str, **_kwargs: Any) -> None:
    from tournaments.worker_role import put_up

    put_up(connections[using])
