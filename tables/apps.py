from importlib import import_module

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """The `tables` app."""

    name = "tables"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what can happen at a table, and hear of people who sign in."""
        import_module("tables.domain_events")
        import_module("tables.receivers")
        import_module("tables.events.receivers")
        import_module("tables.programs.entering")
        import_module("tables.figures")
