from django.apps import AppConfig


class BotsConfig(AppConfig):
    """The `bots` app."""

    name = "bots"
    default_auto_field = "django.db.models.BigAutoField"
