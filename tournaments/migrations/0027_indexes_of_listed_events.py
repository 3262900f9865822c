"""Lists of events walk those they name: comparisons, which are unlisted, may be more than all others (0060)."""

from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When

from bots.indexing import BuildIndex

SHELF = Case(
    When(state__in=("running", "paused"), then=Value(0)),
    When(state="registration", then=Value(1)),
    When(state="published", then=Value(2)),
    default=Value(3),
)
LISTED = Q(visibility="public") & ~Q(state="draft")


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("tournaments", "0026_comparisons_of_two_owners"),
    ]

    operations = [
        BuildIndex(
            model_name="tournament",
            index=models.Index(SHELF, F("id").desc(), name="tournament_listed", condition=LISTED),
        ),
        BuildIndex(
            model_name="tournament",
            index=models.Index(fields=["-id"], name="tournament_public", condition=LISTED),
        ),
    ]
