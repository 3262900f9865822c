# How much news a person has not read: one figure, so that no page asks for it (docs/decisions/0057).

from django.db import migrations, models


class Migration(migrations.Migration):
    """A count beside the account."""

    dependencies = [
        ("accounts", "0007_forgotten_passwords_and_sign_outs"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="unread_news",
            field=models.PositiveIntegerField(default=0, help_text="kept by whoever tells and reads news"),
        ),
    ]
