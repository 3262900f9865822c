"""The newest seats of a version first, in words that only this index knows (models.match.NEWEST)."""

from django.db import migrations, models
from django.db.models import F, Q

from bots.indexing import BuildIndex


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("tournaments", "0019_newest_seats_of_versions"),
    ]

    operations = [
        BuildIndex(
            model_name="seat",
            index=models.Index(F("bot_version"), F("id") * -1, name="seat_latest", condition=~Q(outcome="open")),
        ),
        migrations.RemoveIndex(model_name="seat", name="seat_newest"),
    ]
