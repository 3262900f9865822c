from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The `accounts` app."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Write down where people log in (accounts/sessions.py)."""
        from accounts.sessions import connect

        connect()
