# Bytes may be taken out of a blob, never exchanged (docs/decisions/0059): `migrate` puts the changed guard up at its end.

from typing import Any

from django.db import migrations

from bots.guards import Guard, take_down


def lower(_apps: Any, schema_editor: Any) -> None:
    """The guard as it was."""
    take_down(schema_editor.connection, (Guard("bots_blob"),))


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0007_indexes_of_lists"),
    ]

    operations = [
        migrations.RunPython(lower, migrations.RunPython.noop),
    ]
