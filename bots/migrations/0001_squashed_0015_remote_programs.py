"""The tables of bots at once, for a new database; one that is older goes through what this replaces (0149)."""

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from accounts.searching import IndexNames
from accounts.new_tables import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('bots', '0001_initial'),
        ('bots', '0002_claim_history'),
        ('bots', '0003_meters_and_worker_pace'),
        ('bots', '0004_versions_may_be_hidden'),
        ('bots', '0005_what_a_bot_plays'),
        ('bots', '0006_suspension_and_drains'),
        ('bots', '0007_indexes_of_lists'),
        ('bots', '0008_bytes_can_be_erased'),
        ('bots', '0009_names_are_searched'),
        ('bots', '0010_suspended_bots_are_found'),
        ('bots', '0011_emblems'),
        ('bots', '0012_emblems_of_house_bots'),
        ('bots', '0013_clock_of_a_version'),
        ('bots', '0014_published_sources'),
        ('bots', '0015_remote_programs'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='AuditEvent',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField(auto_now_add=True)),
                        ('verb', models.CharField(max_length=60)),
                        ('subject', models.CharField(db_index=True, max_length=120)),
                        ('channel', models.CharField(blank=True, max_length=120)),
                        ('before', models.JSONField(default=dict)),
                        ('after', models.JSONField(default=dict)),
                        ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_events', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['channel', '-id'], name='audit_of_channel')],
                    },
                ),
                migrations.CreateModel(
                    name='Blob',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('sha256', models.CharField(max_length=64, unique=True)),
                        ('packed', models.BinaryField()),
                        ('size', models.PositiveIntegerField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                    ],
                ),
                migrations.CreateModel(
                    name='Bot',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('slug', models.SlugField(max_length=60, unique=True)),
                        ('name', models.CharField(max_length=60, verbose_name='name')),
                        ('house', models.BooleanField(default=False, help_text='one of the built-in strategies')),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bots', to=settings.AUTH_USER_MODEL)),
                        ('active_version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='active_in', to='bots.botversion')),
                        ('plays', models.JSONField(blank=True, default=list)),
                        ('suspended_at', models.DateTimeField(blank=True, null=True)),
                        ('suspended_reason', models.CharField(blank=True, max_length=200)),
                        ('emblem_card', models.CharField(blank=True, default='', max_length=4, verbose_name='card of the emblem')),
                        ('emblem_colour', models.CharField(blank=True, choices=[('pine', 'pine green'), ('vermilion', 'vermilion'), ('cherry', 'cherry pink'), ('wisteria', 'wisteria violet'), ('indigo', 'indigo'), ('sky', 'sky blue'), ('teal', 'teal'), ('moon', 'moon gold'), ('maple', 'maple orange'), ('willow', 'willow green'), ('earth', 'earth brown'), ('ash', 'ash grey')], default='', max_length=10, verbose_name='colour of the emblem')),
                        ('remote', models.BooleanField(default=False, help_text='a program elsewhere, which plays over HTTPS')),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('suspended_at__isnull', False)), fields=['-suspended_at'], name='bot_suspended')],
                        'constraints': [models.UniqueConstraint(fields=('owner', 'name'), name='bot_name_once_per_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='BotVersion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('n', models.PositiveIntegerField()),
                        ('hash', models.CharField(max_length=64)),
                        ('protocol', models.PositiveSmallIntegerField(default=1)),
                        ('plays', models.JSONField(default=list)),
                        ('files', models.JSONField(default=list)),
                        ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                        ('state', models.CharField(choices=[('checking', 'checking'), ('failed', 'failed'), ('ready', 'ready'), ('retired', 'retired'), ('remote', 'remote')], default='checking', max_length=10)),
                        ('benched_at', models.DateTimeField(blank=True, null=True)),
                        ('bench_reason', models.CharField(blank=True, max_length=200)),
                        ('forfeits_in_a_row', models.PositiveIntegerField(default=0)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='bots.bot')),
                        ('source', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='bots.blob')),
                        ('hidden_at', models.DateTimeField(blank=True, null=True)),
                        ('hidden_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('hidden_reason', models.CharField(blank=True, max_length=200)),
                        ('clock', models.CharField(default='standard', max_length=10)),
                    ],
                    options={
                        'ordering': ['bot', '-n'],
                        'constraints': [models.UniqueConstraint(fields=('bot', 'n'), name='version_number_once_per_bot'), models.UniqueConstraint(fields=('bot', 'hash'), name='version_bytes_once_per_bot')],
                    },
                ),
                migrations.CreateModel(
                    name='Channel',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=120, unique=True)),
                        ('version', models.PositiveBigIntegerField(default=0)),
                    ],
                ),
                migrations.CreateModel(
                    name='Check',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('attempt', models.PositiveIntegerField(default=0)),
                        ('priority', models.BigIntegerField(default=0)),
                        ('faults', models.PositiveSmallIntegerField(default=0)),
                        ('fault_reason', models.CharField(blank=True, max_length=300)),
                        ('queued_at', models.DateTimeField(blank=True, null=True)),
                        ('claimed_at', models.DateTimeField(blank=True, null=True)),
                        ('finished_at', models.DateTimeField(blank=True, null=True)),
                        ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('state', models.CharField(choices=[('queued', 'queued'), ('claimed', 'playing'), ('done', 'done'), ('quarantined', 'held')], default='queued', max_length=12)),
                        ('result', models.JSONField(default=dict)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('log', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='bots.blob')),
                        ('version', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='check_run', to='bots.botversion')),
                        ('lease', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='bots.lease')),
                        ('history', models.JSONField(default=list)),
                        ('suspect_worker', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='bots.worker')),
                        ('suspects', models.JSONField(default=list)),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('state', 'queued')), fields=['priority', 'id'], name='check_queue'), models.Index(condition=models.Q(('state__in', ('queued', 'claimed'))), fields=['priority', 'id'], name='check_open'), models.Index(condition=models.Q(('state', 'quarantined')), fields=['id'], name='check_held')],
                    },
                ),
                migrations.CreateModel(
                    name='Fork',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('licence', models.CharField(max_length=40)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('bot', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='fork', to='bots.bot')),
                        ('origin', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='forks', to='bots.botversion')),
                    ],
                ),
                migrations.CreateModel(
                    name='Lease',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('token', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('expires_at', models.DateTimeField(db_index=True)),
                        ('worker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='leases', to='bots.worker')),
                    ],
                ),
                migrations.CreateModel(
                    name='Meter',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=120, unique=True)),
                        ('began_at', models.DateTimeField(db_index=True)),
                        ('n', models.PositiveIntegerField(default=0)),
                    ],
                ),
                migrations.CreateModel(
                    name='Outbox',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('channel', models.CharField(max_length=120)),
                        ('version', models.PositiveBigIntegerField()),
                        ('topic', models.CharField(max_length=60)),
                        ('payload', models.JSONField(default=dict)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('sent_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('sent_at', None)), fields=['id'], name='outbox_unsent')],
                        'constraints': [models.UniqueConstraint(fields=('channel', 'version'), name='outbox_version_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Publication',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('licence', models.CharField(max_length=40)),
                        ('published_at', models.DateTimeField()),
                        ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                        ('version', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='publication', to='bots.botversion')),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('withdrawn_at__isnull', True)), fields=['-published_at'], name='publication_open')],
                    },
                ),
                migrations.CreateModel(
                    name='Worker',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=120, unique=True)),
                        ('build', models.CharField(blank=True, max_length=60)),
                        ('capacity', models.PositiveSmallIntegerField(default=1)),
                        ('probe_ok', models.BooleanField(default=False)),
                        ('probe', models.JSONField(default=dict)),
                        ('fault', models.CharField(blank=True, max_length=200)),
                        ('started_at', models.DateTimeField(auto_now_add=True)),
                        ('seen_at', models.DateTimeField()),
                        ('per_hour', models.PositiveIntegerField(default=0)),
                        ('draining_at', models.DateTimeField(blank=True, null=True)),
                    ],
                ),
            ],
        ),
        IndexNames('bots_bot', 'name'),
    ]
