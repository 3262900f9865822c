"""Bots that are programs elsewhere: they play over HTTPS, and nothing of them is uploaded (docs/decisions/0141)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("bots", "0014_published_sources"),
    ]

    operations = [
        migrations.AddField(
            model_name="bot",
            name="remote",
            field=models.BooleanField(default=False, help_text="a program elsewhere, which plays over HTTPS"),
        ),
        migrations.AlterField(
            model_name="botversion",
            name="state",
            field=models.CharField(
                choices=[
                    ("checking", "checking"),
                    ("failed", "failed"),
                    ("ready", "ready"),
                    ("retired", "retired"),
                    ("remote", "remote"),
                ],
                default="checking",
                max_length=10,
            ),
        ),
    ]
