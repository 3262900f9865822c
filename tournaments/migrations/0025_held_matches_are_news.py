"""A kind of news: a match of an event that one runs is held."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("tournaments", "0024_when_and_where"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("table", "A table: mine, and those of players I follow"),
                    ("result", "A result there is confirmed, corrected or taken back"),
                    ("round", "A round is published"),
                    ("event", "An event is announced, opens, starts, ends or is called off"),
                    ("said", "The organiser tells everybody something"),
                    ("version", "A version of my bot passed its check, or did not"),
                    ("fault", "My bot failed in a match, or is benched"),
                    ("challenge", "A comparison of versions is decided"),
                    ("held", "A match of an event I run is held for review"),
                    ("bot", "A bot I follow is entered, or plays with another version"),
                ],
                max_length=10,
            ),
        ),
    ]
