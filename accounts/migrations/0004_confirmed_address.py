# An address of mail counts once it is confirmed (docs/decisions/0057).

from django.db import migrations, models


class Migration(migrations.Migration):
    """When an address was confirmed, and one that waits to be."""

    dependencies = [
        ("accounts", "0003_time_zone"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="email_confirmed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="user",
            name="email_wanted",
            field=models.EmailField(blank=True, max_length=254),
        ),
    ]
