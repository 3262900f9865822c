"""An operator may suspend a person (docs/decisions/0061)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("accounts", "0005_card_pictures"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="suspended_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="user",
            name="suspended_reason",
            field=models.CharField(blank=True, max_length=200),
        ),
    ]
