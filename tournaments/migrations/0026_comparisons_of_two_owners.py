"""A comparison keeps whether its bots are of two owners: lists need not ask four other rows of each."""

from typing import Any

from django.db import migrations, models
from django.db.models import F


def tell(apps: Any, schema_editor: Any) -> None:
    """Of those that are there. Bots change no owner."""
    rows = apps.get_model("tournaments", "Challenge").objects.using(schema_editor.connection.alias)
    rows.exclude(candidate__bot__owner=F("reference__bot__owner")).update(of_two_owners=True)


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("tournaments", "0025_held_matches_are_news"),
    ]

    operations = [
        migrations.AddField(
            model_name="challenge",
            name="of_two_owners",
            field=models.BooleanField(default=False),
            preserve_default=False,
        ),
        migrations.RunPython(tell, migrations.RunPython.noop),
    ]
