from django.db import migrations
from django.utils import timezone


def wake_tables(apps, schema_editor):
    """Let the sweep look at tables that wait for nobody: their deal has decided the match, and nothing ended it."""
    waiting = apps.get_model("tables", "LiveTable").objects.filter(state="playing", deadline_at=None, paused_at=None)
    waiting.update(deadline_at=timezone.now())


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0005_pauses'),
    ]

    operations = [
        migrations.RunPython(wake_tables, migrations.RunPython.noop),
    ]
