"""Names of people are searched by pairs of letters (docs/decisions/0066)."""

from django.db import migrations

from accounts.searching import IndexNames


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("accounts", "0011_card_backs"),
    ]

    operations = [
        IndexNames("accounts_user", "username"),
        IndexNames("accounts_user", "display_name"),
    ]
