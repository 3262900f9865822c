from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """The `tournaments` app."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"
