"""The tables of live play at once, for a new database; one that is older goes through what this replaces (0149)."""

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from accounts.new_tables import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('tables', '0001_initial'),
        ('tables', '0002_programs'),
        ('tables', '0003_ratings_and_events'),
        ('tables', '0004_greetings'),
        ('tables', '0005_pauses'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('bots', '0001_squashed_0015_remote_programs'),
        ('tournaments', '0001_squashed_0062_where_stages_are_played'),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='Answer',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('n', models.PositiveIntegerField()),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('index', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('code', models.CharField(blank=True, max_length=20)),
                        ('at', models.DateTimeField()),
                        ('took_ms', models.PositiveBigIntegerField(default=0)),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='tables.livetable')),
                    ],
                    options={
                        'ordering': ['table', 'n'],
                        'constraints': [models.UniqueConstraint(fields=('table', 'n'), name='answer_once'), models.CheckConstraint(condition=models.Q(models.Q(('code', ''), ('index__isnull', False)), models.Q(('index__isnull', True), models.Q(('code', ''), _negated=True)), _connector='OR'), name='answer_or_forfeit')],
                    },
                ),
                migrations.CreateModel(
                    name='LiveSeat',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('index', models.PositiveSmallIntegerField()),
                        ('kind', models.CharField(choices=[('person', 'person'), ('bot', 'bot'), ('program', 'remote program')], max_length=7)),
                        ('guest', models.UUIDField(blank=True, null=True)),
                        ('name', models.CharField(max_length=60)),
                        ('nonce_hash', models.CharField(max_length=80)),
                        ('nonce', models.CharField(blank=True, max_length=128)),
                        ('drawn_by', models.CharField(max_length=7)),
                        ('seen_at', models.DateTimeField(blank=True, null=True)),
                        ('bot_version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='live_seats', to='bots.botversion')),
                        ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='live_seats', to=settings.AUTH_USER_MODEL)),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tables.livetable')),
                        ('address_mark', models.CharField(blank=True, max_length=64)),
                        ('device_mark', models.CharField(blank=True, max_length=64)),
                        ('greeting', models.CharField(blank=True, default='', max_length=10)),
                        ('greeted_after', models.PositiveIntegerField(blank=True, null=True)),
                    ],
                    options={
                        'ordering': ['table', 'index'],
                        'indexes': [models.Index(condition=models.Q(('guest__isnull', False)), fields=['guest'], name='live_seat_guest'), models.Index(condition=models.Q(('device_mark', ''), _negated=True), fields=['-table'], name='live_seat_marked')],
                        'constraints': [models.UniqueConstraint(fields=('table', 'index'), name='live_seat_once'), models.UniqueConstraint(condition=models.Q(('kind', 'person')), fields=('table', 'user'), name='live_seat_user_once'), models.UniqueConstraint(fields=('table', 'guest'), name='live_seat_guest_once'), models.CheckConstraint(condition=models.Q(models.Q(('bot_version__isnull', True), ('kind', 'person'), models.Q(('user__isnull', False), ('guest__isnull', False), _connector='OR')), models.Q(('bot_version__isnull', False), ('kind__in', ('bot', 'program'))), _connector='OR'), name='live_seat_somebody')],
                    },
                ),
                migrations.CreateModel(
                    name='LiveTable',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('state', models.CharField(choices=[('open', 'open'), ('dealing', 'dealing'), ('playing', 'playing'), ('finished', 'finished'), ('aborted', 'called off')], default='open', max_length=8)),
                        ('preset', models.CharField(max_length=20)),
                        ('ruleset', models.TextField()),
                        ('seats_n', models.PositiveSmallIntegerField()),
                        ('clock', models.CharField(choices=[('casual', 'no clock'), ('live', 'live'), ('days', 'days for a move'), ('remote', 'programs only')], default='casual', max_length=6)),
                        ('bank_ms', models.PositiveBigIntegerField(default=0)),
                        ('increment_ms', models.PositiveBigIntegerField(default=0)),
                        ('rated', models.BooleanField(default=False)),
                        ('listed', models.BooleanField(default=False)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('bots_from', models.DateTimeField(blank=True, null=True)),
                        ('secret', models.BinaryField()),
                        ('commitment', models.CharField(max_length=80)),
                        ('deal_set', models.UUIDField(default=uuid.uuid4, editable=False)),
                        ('mix', models.BinaryField(blank=True, null=True)),
                        ('dealt_at', models.DateTimeField(blank=True, null=True)),
                        ('answered', models.PositiveIntegerField(default=0)),
                        ('events', models.PositiveIntegerField(default=0)),
                        ('bot_asked_at', models.DateTimeField(blank=True, null=True)),
                        ('deadline_at', models.DateTimeField(blank=True, null=True)),
                        ('finished_at', models.DateTimeField(blank=True, null=True)),
                        ('reason', models.CharField(blank=True, max_length=20)),
                        ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='live_table', to='tournaments.match')),
                        ('rematch_of', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rematch', to='tables.livetable')),
                        ('notify_at', models.DateTimeField(blank=True, null=True)),
                        ('stage', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='live_tables', to='tournaments.stage')),
                        ('turn_notices', models.PositiveSmallIntegerField(default=0)),
                        ('asked_at', models.DateTimeField(blank=True, null=True)),
                        ('paused_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('listed', True), ('state', 'open')), fields=['-id'], name='table_waiting'), models.Index(condition=models.Q(('deadline_at__isnull', False)), fields=['deadline_at'], name='table_due'), models.Index(condition=models.Q(('bot_asked_at__isnull', False)), fields=['bot_asked_at'], name='table_bot'), models.Index(condition=models.Q(('match__isnull', True), ('state', 'finished')), fields=['id'], name='table_unrecorded'), models.Index(condition=models.Q(('notify_at__isnull', False)), fields=['notify_at'], name='table_to_notify'), models.Index(condition=models.Q(('stage__isnull', False), ('state__in', ('open', 'dealing', 'playing'))), fields=['stage'], name='table_of_event')],
                    },
                ),
                migrations.CreateModel(
                    name='Program',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('presets', models.JSONField(default=list)),
                        ('seats_min', models.PositiveSmallIntegerField(default=2)),
                        ('seats_max', models.PositiveSmallIntegerField(default=2)),
                        ('clocks', models.JSONField(default=list)),
                        ('tables_most', models.PositiveSmallIntegerField(default=1)),
                        ('takes', models.CharField(choices=[('anybody', 'people and programs'), ('programs', 'programs only'), ('nobody', 'nobody')], default='anybody', max_length=8)),
                        ('plays_ladder', models.BooleanField(default=True)),
                        ('seen_at', models.DateTimeField(blank=True, null=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('bot', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='program', to='bots.bot')),
                        ('version', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='program', to='bots.botversion')),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('seen_at__isnull', False)), fields=['-seen_at'], name='program_seen')],
                    },
                ),
                migrations.CreateModel(
                    name='TableChallenge',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('by', models.CharField(blank=True, max_length=60)),
                        ('answer', models.CharField(blank=True, choices=[('accepted', 'accepted'), ('declined', 'declined')], max_length=8)),
                        ('reason', models.CharField(blank=True, max_length=20)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('answered_at', models.DateTimeField(blank=True, null=True)),
                        ('by_program', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.program')),
                        ('program', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='challenges', to='tables.program')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='tables.livetable')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(condition=models.Q(('answer', '')), fields=['program'], name='challenge_waits')],
                        'constraints': [models.UniqueConstraint(fields=('table', 'program'), name='challenge_once')],
                    },
                ),
            ],
        ),
    ]
