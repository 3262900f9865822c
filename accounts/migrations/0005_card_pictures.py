# How cards look to a person (docs/decisions/0056).

from django.db import migrations, models


class Migration(migrations.Migration):
    """Card pictures; empty: as the browser last chose."""

    dependencies = [
        ("accounts", "0004_confirmed_address"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="cards",
            field=models.CharField(
                blank=True,
                choices=[
                    ("classic", "coloured pictures"),
                    ("contrast", "bold outlines on white, large numerals"),
                    ("text", "month, kind and number, no pictures"),
                ],
                max_length=8,
                verbose_name="card pictures",
            ),
        ),
    ]
