"""Indexes for lists that are long, built while people write (docs/decisions/0060)."""

from django.db import migrations, models

from bots.indexing import BuildIndex


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("bots", "0006_suspension_and_drains"),
    ]

    operations = [
        BuildIndex(
            model_name="auditevent",
            index=models.Index(fields=["channel", "-id"], name="audit_of_channel"),
        ),
        BuildIndex(
            model_name="check",
            index=models.Index(
                fields=["priority", "id"],
                name="check_open",
                condition=models.Q(state__in=("queued", "claimed")),
            ),
        ),
        BuildIndex(
            model_name="check",
            index=models.Index(fields=["id"], name="check_held", condition=models.Q(state="quarantined")),
        ),
    ]
