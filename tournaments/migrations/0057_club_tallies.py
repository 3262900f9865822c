"""Sums of players by club. Their triggers are put up after `migrate` (tournaments/tallies.py), which counts."""

from django.db import migrations, models


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
    ]
