"""When and where people are to come to an event."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("tournaments", "0023_names_are_searched"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="venue",
            field=models.CharField(blank=True, max_length=120, verbose_name="where"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="starts_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="begins"),
        ),
    ]
