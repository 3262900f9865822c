from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The `accounts` app."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Write down log-ins; let names be searched and sorted, and keys be named. See the modules."""
        from accounts import alphabet, among, searching, sessions

        alphabet.connect()
        among.connect()
        searching.connect()
        sessions.connect()
