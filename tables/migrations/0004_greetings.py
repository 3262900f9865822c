"""What a seat says: one of five fixed greetings, and after how many answers of the table it was said."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0003_ratings_and_events")]

    operations = [
        migrations.AddField("liveseat", "greeting", models.CharField(blank=True, default="", max_length=10)),
        migrations.AddField("liveseat", "greeted_after", models.PositiveIntegerField(blank=True, null=True)),
    ]
