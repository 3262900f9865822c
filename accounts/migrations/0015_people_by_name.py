"""People are listed in the order of their names (docs/decisions/0072)."""

from django.db import migrations

from accounts.alphabet import IndexByName


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("accounts", "0014_suspended_people_are_found"),
    ]

    operations = [
        IndexByName("accounts_user", "username"),
    ]
