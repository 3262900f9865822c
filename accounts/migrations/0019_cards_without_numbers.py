"""A deck of pictures without numbers can be chosen (docs/decisions/0121)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module. The column stays as it is: only its choices are more."""

    dependencies = [
        ("accounts", "0018_letters_about_registrations"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="cards",
            field=models.CharField(
                blank=True,
                choices=[
                    ("classic", "coloured pictures"),
                    ("pictures", "coloured pictures without numbers"),
                    ("contrast", "bold outlines on white, large numerals"),
                    ("text", "month, kind and number, no pictures"),
                ],
                max_length=8,
                verbose_name="card pictures",
            ),
        ),
    ]
