"""A version declares the clock that it needs (docs/decisions/0127); those from before were checked with the standard."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("bots", "0012_emblems_of_house_bots"),
    ]

    operations = [
        migrations.AddField(
            model_name="botversion",
            name="clock",
            field=models.CharField(default="standard", max_length=10),
        ),
    ]
