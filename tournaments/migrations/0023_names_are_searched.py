"""Names of events and players are searched by pairs of letters; comparisons that run stand first in an index (0066)."""

from django.db import migrations, models
from django.db.models import Case, F, Value, When

from accounts.searching import IndexNames
from bots.indexing import BuildIndex

RUNNING_FIRST = Case(When(state="running", then=Value(0)), default=Value(1))


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("tournaments", "0022_deciders_and_strengths"),
    ]

    operations = [
        IndexNames("tournaments_tournament", "name"),
        IndexNames("tournaments_player", "name"),
        BuildIndex(
            model_name="challenge",
            index=models.Index(RUNNING_FIRST, F("id").desc(), name="challenge_shelf"),
        ),
    ]
