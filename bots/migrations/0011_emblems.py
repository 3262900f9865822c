"""Bots have emblems: a card and a colour, empty as the name says (docs/decisions/0121)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("bots", "0010_suspended_bots_are_found"),
    ]

    operations = [
        migrations.AddField(
            model_name="bot",
            name="emblem_card",
            field=models.CharField(blank=True, default="", max_length=4, verbose_name="card of the emblem"),
        ),
        migrations.AddField(
            model_name="bot",
            name="emblem_colour",
            field=models.CharField(
                blank=True,
                choices=[
                    ("pine", "pine green"),
                    ("vermilion", "vermilion"),
                    ("cherry", "cherry pink"),
                    ("wisteria", "wisteria violet"),
                    ("indigo", "indigo"),
                    ("sky", "sky blue"),
                    ("teal", "teal"),
                    ("moon", "moon gold"),
                    ("maple", "maple orange"),
                    ("willow", "willow green"),
                    ("earth", "earth brown"),
                    ("ash", "ash grey"),
                ],
                default="",
                max_length=10,
                verbose_name="colour of the emblem",
            ),
        ),
    ]
