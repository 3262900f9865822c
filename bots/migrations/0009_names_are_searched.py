"""Names of bots are searched by pairs of letters (docs/decisions/0066)."""

from django.db import migrations

from accounts.searching import IndexNames


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("bots", "0008_bytes_can_be_erased"),
    ]

    operations = [
        IndexNames("bots_bot", "name"),
    ]
