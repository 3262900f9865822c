# How far readers of the outbox have come (docs/decisions/0058).

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0013_stages_called_off'),
    ]

    operations = [
        migrations.CreateModel(
            name='Cursor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, unique=True)),
                ('begun_at', models.DateTimeField(auto_now_add=True)),
                ('moved_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='CursorPlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(max_length=120)),
                ('version', models.PositiveBigIntegerField()),
                ('cursor', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='places', to='tournaments.cursor')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('cursor', 'channel'), name='place_once_per_channel')],
            },
        ),
    ]
