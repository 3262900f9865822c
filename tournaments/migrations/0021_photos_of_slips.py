"""Photos of paper slips, one a side of a table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """See the module."""

    dependencies = [
        ("tournaments", "0020_latest_seats"),
    ]

    operations = [
        migrations.CreateModel(
            name="SlipPhoto",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("side", models.PositiveSmallIntegerField()),
                ("image", models.BinaryField()),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
                ("sent_at", models.DateTimeField(db_index=True)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="photos", to="tournaments.match"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("match", "side"), name="photo_one_a_side")],
            },
        ),
    ]
