"""Remote programs and challenges to them (docs/decisions/0141)."""

from uuid import uuid4

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("bots", "0015_remote_programs"),
        ("tables", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Program",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("presets", models.JSONField(default=list)),
                ("seats_min", models.PositiveSmallIntegerField(default=2)),
                ("seats_max", models.PositiveSmallIntegerField(default=2)),
                ("clocks", models.JSONField(default=list)),
                ("tables_most", models.PositiveSmallIntegerField(default=1)),
                (
                    "takes",
                    models.CharField(
                        choices=[
                            ("anybody", "people and programs"),
                            ("programs", "programs only"),
                            ("nobody", "nobody"),
                        ],
                        default="anybody",
                        max_length=8,
                    ),
                ),
                ("plays_ladder", models.BooleanField(default=True)),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "bot",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="program", to="bots.bot"
                    ),
                ),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="program", to="bots.botversion"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("seen_at__isnull", False)), fields=["-seen_at"], name="program_seen"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TableChallenge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid4, editable=False, unique=True)),
                ("by", models.CharField(blank=True, max_length=60)),
                (
                    "answer",
                    models.CharField(
                        blank=True, choices=[("accepted", "accepted"), ("declined", "declined")], max_length=8
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=20)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by_program",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.program",
                    ),
                ),
                (
                    "program",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="challenges", to="tables.program"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="challenges", to="tables.livetable"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(condition=models.Q(("answer", "")), fields=["program"], name="challenge_waits")],
                "constraints": [models.UniqueConstraint(fields=("table", "program"), name="challenge_once")],
            },
        ),
    ]
