"""Sums of players by club. Their triggers are put up after `migrate` (tournaments/tallies.py), which counts."""

from django.db import migrations, models


def take_down(apps, schema_editor):
    """Remove the triggers on players: without the table of the sums no player could be written."""
    place = " ON tournaments_player" if schema_editor.connection.vendor == "postgresql" else ""
    for event in ("insert", "update", "delete"):
        schema_editor.execute(f"DROP TRIGGER IF EXISTS tournaments_player_tally_{event}{place}")


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0056_season_notices'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClubTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.IntegerField()),
                ('is_fresh', models.BooleanField(default=True)),
                ('club_key', models.CharField(max_length=120)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('is_fresh', True)), fields=['id'], name='club_tally_fresh')],
            },
        ),
        # Last, so that the way back begins with it. On the way there `migrate` puts the triggers up when it has ended.
        migrations.RunPython(migrations.RunPython.noop, take_down),
    ]
