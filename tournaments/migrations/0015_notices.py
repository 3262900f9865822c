# Follows of people, players and tables; notices, mails and calendar addresses (docs/decisions/0057).

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """What people follow, and what they are told of it."""

    dependencies = [
        ("bots", "0005_what_a_bot_plays"),
        ("tournaments", "0014_cursors"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CalendarLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Mailing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("source", models.CharField(max_length=120)),
                ("is_digest", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "waiting"),
                            ("sent", "sent"),
                            ("failed", "not accepted"),
                            ("dropped", "not wanted any more"),
                        ],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("error", models.CharField(blank=True, max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source", models.CharField(max_length=160)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("table", "A table: mine, and those of players I follow"),
                            ("result", "A result there is confirmed, corrected or taken back"),
                            ("round", "A round is published"),
                            ("event", "An event is announced, opens, starts, ends or is called off"),
                            ("said", "The organiser tells everybody something"),
                            ("version", "A version of my bot passed its check, or did not"),
                            ("fault", "My bot failed in a match, or is benched"),
                            ("challenge", "A comparison of versions is decided"),
                            ("bot", "A bot I follow is entered, or plays with another version"),
                        ],
                        max_length=10,
                    ),
                ),
                ("what", models.CharField(max_length=20)),
                ("via", models.CharField(max_length=10)),
                ("facts", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                (
                    "how",
                    models.CharField(
                        choices=[
                            ("page", "on the page only"),
                            ("digest", "a mail each morning"),
                            ("instant", "a mail at once"),
                        ],
                        default="page",
                        max_length=8,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NoticePlan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("choices", models.JSONField(default=dict)),
                ("language", models.CharField(blank=True, max_length=8)),
                ("time_zone", models.CharField(blank=True, max_length=40)),
                ("changed_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="follow",
            name="follow_one_thing",
        ),
        migrations.AddField(
            model_name="follow",
            name="match",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="followers",
                to="tournaments.match",
            ),
        ),
        migrations.AddField(
            model_name="follow",
            name="person",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="followers",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="follow",
            name="player",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="followers",
                to="tournaments.player",
            ),
        ),
        migrations.AddIndex(
            model_name="follow",
            index=models.Index(fields=["user", "-id"], name="follow_newest"),
        ),
        migrations.AddConstraint(
            model_name="follow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("bot__isnull", True),
                        ("match__isnull", True),
                        ("person__isnull", True),
                        ("player__isnull", True),
                        ("tournament__isnull", False),
                    ),
                    models.Q(
                        ("bot__isnull", False),
                        ("match__isnull", True),
                        ("person__isnull", True),
                        ("player__isnull", True),
                        ("tournament__isnull", True),
                    ),
                    models.Q(
                        ("bot__isnull", True),
                        ("match__isnull", True),
                        ("person__isnull", False),
                        ("player__isnull", True),
                        ("tournament__isnull", True),
                    ),
                    models.Q(
                        ("bot__isnull", True),
                        ("match__isnull", True),
                        ("person__isnull", True),
                        ("player__isnull", False),
                        ("tournament__isnull", True),
                    ),
                    models.Q(
                        ("bot__isnull", True),
                        ("match__isnull", False),
                        ("person__isnull", True),
                        ("player__isnull", True),
                        ("tournament__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="follow_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="follow",
            constraint=models.UniqueConstraint(fields=("user", "person"), name="follow_person_once"),
        ),
        migrations.AddConstraint(
            model_name="follow",
            constraint=models.UniqueConstraint(fields=("user", "player"), name="follow_player_once"),
        ),
        migrations.AddConstraint(
            model_name="follow",
            constraint=models.UniqueConstraint(fields=("user", "match"), name="follow_match_once"),
        ),
        migrations.AddField(
            model_name="calendarlink",
            name="user",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="calendar_link", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="mailing",
            name="reader",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="mailings", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="bot",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="bots.bot"
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="challenge",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.challenge",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="mailing",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="notices",
                to="tournaments.mailing",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="match",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.match",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="player",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.player",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="reader",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="notices", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="round",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.round",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="tournament",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.tournament",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="version",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="bots.botversion",
            ),
        ),
        migrations.AddField(
            model_name="noticeplan",
            name="user",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="notice_plan", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddIndex(
            model_name="mailing",
            index=models.Index(condition=models.Q(("state", "open")), fields=["due_at", "id"], name="mailing_due"),
        ),
        migrations.AddConstraint(
            model_name="mailing",
            constraint=models.UniqueConstraint(fields=("reader", "source"), name="mailing_once"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["reader", "-id"], name="notice_newest"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(condition=models.Q(("read_at", None)), fields=["reader"], name="notice_unread"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("how", "digest"), ("mailing", None)), fields=["reader"], name="notice_for_digest"
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["at"], name="notice_age"),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(fields=("reader", "source"), name="notice_once"),
        ),
    ]
