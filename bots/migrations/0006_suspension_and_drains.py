"""An operator may suspend a bot and drain a worker (docs/decisions/0061); the audit's channel gets a better index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("bots", "0005_what_a_bot_plays"),
    ]

    operations = [
        migrations.AddField(
            model_name="bot",
            name="suspended_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="bot",
            name="suspended_reason",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="worker",
            name="draining_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="auditevent",
            name="channel",
            field=models.CharField(blank=True, max_length=120),
        ),
    ]
