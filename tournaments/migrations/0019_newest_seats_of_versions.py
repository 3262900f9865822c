"""The newest matches and the failures of a version are found by indexes of their own (docs/decisions/0060)."""

from django.db import migrations, models
from django.db.models import Q

from bots.indexing import BuildIndex


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("tournaments", "0018_hooks"),
    ]

    operations = [
        BuildIndex(
            model_name="seat",
            index=models.Index(fields=["bot_version", "-id"], name="seat_newest", condition=~Q(outcome="open")),
        ),
        BuildIndex(
            model_name="seat",
            index=models.Index(fields=["bot_version"], name="seat_fault", condition=Q(fault__isnull=False)),
        ),
        migrations.RemoveIndex(model_name="seat", name="seat_settled"),
    ]
