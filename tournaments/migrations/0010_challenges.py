"""Comparisons of two versions, and what an owner lets others do with a bot."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0005_what_a_bot_plays"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0009_links"),
    ]

    operations = [
        migrations.CreateModel(
            name="BotPolicy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "challenges",
                    models.CharField(
                        choices=[("anybody", "anybody may challenge it"), ("nobody", "nobody but its owner")],
                        default="anybody",
                        max_length=8,
                    ),
                ),
                ("in_ladders", models.BooleanField(default=True)),
            ],
        ),
        migrations.CreateModel(
            name="Challenge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("elo0", models.FloatField()),
                ("elo1", models.FloatField()),
                ("alpha", models.FloatField(default=0.05)),
                ("beta", models.FloatField(default=0.05)),
                ("cap", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "running"),
                            ("stronger", "decided: stronger"),
                            ("not_stronger", "decided: not stronger"),
                            ("inconclusive", "inconclusive"),
                        ],
                        default="running",
                        max_length=12,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("bound", "a bound was reached"),
                            ("cap", "all deal sets are played"),
                            ("stopped", "stopped by its owner"),
                            ("unfit", "one of the two may not be drawn any more"),
                        ],
                        max_length=8,
                    ),
                ),
                ("upto", models.BigIntegerField(default=0)),
                ("judged", models.PositiveIntegerField(default=0)),
                ("skipped", models.PositiveIntegerField(default=0)),
                ("llr", models.FloatField(default=0.0)),
                ("counts", models.JSONField(default=list)),
                ("mean", models.FloatField(default=0.0)),
                ("squares", models.FloatField(default=0.0)),
                ("estimate", models.JSONField(default=list)),
                ("split", models.JSONField(default=list)),
                ("candidate_forfeits", models.PositiveIntegerField(default=0)),
                ("reference_forfeits", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="ChallengeSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("score", models.CharField(blank=True, max_length=16)),
                ("llr", models.FloatField()),
                ("weight", models.PositiveSmallIntegerField(default=0)),
                ("candidate_forfeits", models.PositiveSmallIntegerField(default=0)),
                ("reference_forfeits", models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="entry",
            name="entry_once_per_player",
        ),
        migrations.AddField(
            model_name="entry",
            name="copy",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="in a comparison a bot sits several times at a table"
            ),
        ),
        migrations.AlterField(
            model_name="stage",
            name="kind",
            field=models.CharField(
                choices=[
                    ("round_robin", "round robin"),
                    ("tables", "tables"),
                    ("swiss", "Swiss"),
                    ("dutch", "Swiss, FIDE Dutch"),
                    ("pods", "Swiss at tables"),
                    ("single_elim", "single elimination"),
                    ("double_elim", "double elimination"),
                    ("lives", "lives"),
                    ("ladder", "ladder"),
                    ("gauntlet", "comparison of two versions"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("tournament", "player", "copy"), name="entry_once_per_player"),
        ),
        migrations.AddField(
            model_name="botpolicy",
            name="bot",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="policy", to="bots.bot"
            ),
        ),
        migrations.AddField(
            model_name="challenge",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="challenges", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="challenge",
            name="candidate",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="challenges", to="bots.botversion"
            ),
        ),
        migrations.AddField(
            model_name="challenge",
            name="reference",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="challenged", to="bots.botversion"
            ),
        ),
        migrations.AddField(
            model_name="challenge",
            name="stage",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="challenge", to="tournaments.stage"
            ),
        ),
        migrations.AddField(
            model_name="challengeset",
            name="challenge",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="sets", to="tournaments.challenge"
            ),
        ),
        migrations.AddField(
            model_name="challengeset",
            name="deal_set",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="challenge_set", to="tournaments.dealset"
            ),
        ),
        migrations.AddIndex(
            model_name="challenge",
            index=models.Index(fields=["by", "-created_at"], name="challenge_of_person"),
        ),
        migrations.AddIndex(
            model_name="challenge",
            index=models.Index(condition=models.Q(("state", "running")), fields=["id"], name="challenge_running"),
        ),
        migrations.AddConstraint(
            model_name="challenge",
            constraint=models.CheckConstraint(
                condition=models.Q(("candidate", models.F("reference")), _negated=True), name="challenge_of_two"
            ),
        ),
        migrations.AddConstraint(
            model_name="challenge",
            constraint=models.CheckConstraint(
                condition=models.Q(("elo0__lt", models.F("elo1"))), name="challenge_elo_in_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="challenge",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at__isnull", True), ("reason", ""), ("state", "running")),
                    models.Q(
                        models.Q(("state", "running"), _negated=True),
                        models.Q(("reason", ""), _negated=True),
                        ("decided_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="challenge_decided_whole",
            ),
        ),
        migrations.AddIndex(
            model_name="challengeset",
            index=models.Index(fields=["challenge", "-weight", "-number"], name="challenge_set_weight"),
        ),
        migrations.AddConstraint(
            model_name="challengeset",
            constraint=models.UniqueConstraint(fields=("challenge", "number"), name="challenge_set_number_once"),
        ),
    ]
