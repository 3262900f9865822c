"""Lists end with what is over; what is archived, or was called off before it began, comes after that and is skipped."""

from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When

from bots.indexing import BuildIndex

SHELF = Case(
    When(state__in=("running", "paused"), then=Value(0)),
    When(state="registration", then=Value(1)),
    When(state="published", then=Value(2)),
    When(state="archived", then=Value(4)),
    When(state="cancelled", started_at=None, then=Value(4)),
    default=Value(3),
)
LISTED = Q(visibility="public") & ~Q(state="draft")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tournaments", "0031_level_knock_outs")]

    operations = [
        migrations.RemoveIndex(model_name="tournament", name="tournament_shelf"),
        BuildIndex(model_name="tournament", index=models.Index(SHELF, F("id").desc(), name="tournament_shelf")),
        migrations.RemoveIndex(model_name="tournament", name="tournament_listed"),
        BuildIndex(
            model_name="tournament",
            index=models.Index(SHELF, F("id").desc(), name="tournament_listed", condition=LISTED),
        ),
    ]
