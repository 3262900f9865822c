"""Stages may be called off, secrets may be followed by new ones, and what is held is counted with an index."""

import django.db.models.deletion
import django.db.models.manager
from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("tournaments", "0012_rotating_partners"),
    ]

    operations = [
        migrations.AlterModelOptions(name="stage", options={"default_manager_name": "played"}),
        migrations.AlterModelManagers(name="stage", managers=[("played", django.db.models.manager.Manager())]),
        migrations.AddField(
            model_name="stage",
            name="draw_seed",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="stage",
            name="lots_seed",
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name="stage",
            name="reason",
            field=models.CharField(blank=True, help_text="why it was called off", max_length=300),
        ),
        migrations.AlterField(
            model_name="stage",
            name="state",
            field=models.CharField(
                choices=[
                    ("planned", "planned"),
                    ("seeded", "drawn"),
                    ("active", "active"),
                    ("settling", "settling"),
                    ("closed", "closed"),
                    ("void", "called off"),
                ],
                default="planned",
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="EarlierSecret",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("secret", models.BinaryField()),
                ("commitment", models.CharField(max_length=80)),
                ("revealed_at", models.DateTimeField()),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="earlier_secrets",
                        to="tournaments.stage",
                    ),
                ),
            ],
            options={
                "ordering": ["stage", "number"],
                "constraints": [models.UniqueConstraint(fields=("stage", "number"), name="earlier_secret_once")],
            },
        ),
        migrations.AddField(
            model_name="dealset",
            name="earlier",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="deal_sets",
                to="tournaments.earliersecret",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(condition=models.Q(("state", "quarantined")), fields=["stage"], name="match_held"),
        ),
    ]
