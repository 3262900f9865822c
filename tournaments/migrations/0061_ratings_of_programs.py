"""Remote programs are rated among themselves (docs/decisions/0141)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("tournaments", "0060_ladder_seasons_so_far"),
    ]

    operations = [
        migrations.AlterField(
            model_name="ratingpool",
            name="who",
            field=models.CharField(
                choices=[("bots", "bots"), ("people", "people"), ("remote", "remote programs")],
                default="bots",
                max_length=6,
            ),
        ),
    ]
