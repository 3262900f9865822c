"""The backs of cards can be chosen as their pictures can."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("accounts", "0010_letters_wait_in_rows"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="backs",
            field=models.CharField(
                blank=True, choices=[("red", "red"), ("black", "black")], max_length=8, verbose_name="card backs"
            ),
        ),
    ]
