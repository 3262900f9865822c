"""The operators' page finds the few bots that are suspended without reading all others."""

from django.db import migrations, models
from django.db.models import Q

from bots.indexing import BuildIndex


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("bots", "0009_names_are_searched"),
    ]

    operations = [
        BuildIndex(
            model_name="bot",
            index=models.Index(fields=["-suspended_at"], name="bot_suspended", condition=Q(suspended_at__isnull=False)),
        ),
    ]
