"""Sums of matches and entries by state, and places beyond 32,767 (docs/decisions/0060).

The triggers that keep the sums are put up after `migrate` (tournaments/tallies.py), which counts what is there.
"""

import django.db.models.deletion
from django.db import migrations, models

ENTRY_STATES = [
    ("waitlisted", "on the waiting list"),
    ("entered", "entered"),
    ("active", "playing"),
    ("withdrawn", "withdrawn"),
    ("disqualified", "disqualified"),
    ("partnered", "in a team"),
]
MATCH_STATES = [
    ("pending", "scheduled"),
    ("ready", "scheduled"),
    ("queued", "queued"),
    ("claimed", "playing"),
    ("quarantined", "held"),
    ("called", "called"),
    ("playing", "playing"),
    ("reported", "reported"),
    ("disputed", "disputed"),
    ("confirmed", "finished"),
    ("void", "cancelled"),
]


def _pointing_at(model: str, name: str, **more: object) -> models.ForeignKey:
    return models.ForeignKey(
        db_constraint=False,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name=name,
        to=f"tournaments.{model}",
        **more,
    )


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("tournaments", "0015_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="EntryTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("n", models.IntegerField()),
                ("is_fresh", models.BooleanField(default=True)),
                ("state", models.CharField(choices=ENTRY_STATES, max_length=12)),
                ("tournament", _pointing_at("tournament", "entry_tallies")),
            ],
        ),
        migrations.CreateModel(
            name="MatchTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("n", models.IntegerField()),
                ("is_fresh", models.BooleanField(default=True)),
                ("state", models.CharField(choices=MATCH_STATES, max_length=12)),
                ("round", _pointing_at("round", "match_tallies", blank=True, db_index=False, null=True)),
                ("stage", _pointing_at("stage", "match_tallies")),
            ],
        ),
        migrations.AddIndex(
            model_name="entrytally",
            index=models.Index(fields=["id"], name="entry_tally_fresh", condition=models.Q(is_fresh=True)),
        ),
        migrations.AddIndex(
            model_name="matchtally",
            index=models.Index(fields=["id"], name="match_tally_fresh", condition=models.Q(is_fresh=True)),
        ),
        migrations.AddIndex(
            model_name="matchtally",
            index=models.Index(fields=["stage"], name="match_tally_queued", condition=models.Q(state="queued")),
        ),
        migrations.AlterField(
            model_name="standing",
            name="rank",
            field=models.PositiveIntegerField(),
        ),
        migrations.AlterField(
            model_name="standing",
            name="row",
            field=models.PositiveIntegerField(help_text="order of display, from 1"),
        ),
    ]
