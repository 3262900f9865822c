from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The `accounts` app."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Write down where people log in (accounts/sessions.py); let names be searched (accounts/searching.py)."""
        from accounts import searching, sessions

        searching.connect()
        sessions.connect()
