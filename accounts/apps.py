from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The `accounts` app."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Write down log-ins (sessions.py); let names be searched (searching.py) and keys be named (among.py)."""
        from accounts import among, searching, sessions

        among.connect()
        searching.connect()
        sessions.connect()
