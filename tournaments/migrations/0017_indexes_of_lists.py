"""Indexes for lists that are long, built while people write (docs/decisions/0060)."""

from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When

from bots.indexing import BuildIndex

IN_PLAY_FIRST = Case(When(state__in=("entered", "active"), then=Value(0)), default=Value(1))
SHELF = Case(
    When(state__in=("running", "paused"), then=Value(0)),
    When(state="registration", then=Value(1)),
    When(state="published", then=Value(2)),
    default=Value(3),
)
CONFIRMED = Q(state="confirmed")


class Migration(migrations.Migration):
    """See the module."""

    atomic = False
    dependencies = [
        ("tournaments", "0016_tallies"),
    ]

    operations = [
        BuildIndex(
            model_name="entry",
            index=models.Index(F("tournament"), IN_PLAY_FIRST, F("seed"), F("id"), name="entry_order"),
        ),
        BuildIndex(
            model_name="match",
            index=models.Index(fields=["stage", "-finished_at", "-id"], name="match_over", condition=CONFIRMED),
        ),
        BuildIndex(
            model_name="match",
            index=models.Index(fields=["-finished_at", "-id"], name="match_fresh", condition=CONFIRMED),
        ),
        BuildIndex(
            model_name="match",
            index=models.Index(fields=["stage"], name="match_now", condition=Q(state__in=("claimed", "playing"))),
        ),
        migrations.RemoveIndex(model_name="match", name="match_stage_finished"),
        BuildIndex(
            model_name="seat",
            index=models.Index(fields=["bot_version", "-match"], name="seat_settled", condition=~Q(outcome="open")),
        ),
        BuildIndex(
            model_name="stage",
            index=models.Index(fields=["preset", "seats_pref"], name="stage_preset"),
        ),
        BuildIndex(
            model_name="standing",
            index=models.Index(fields=["stage", "after_round", "row"], name="standing_order"),
        ),
        BuildIndex(
            model_name="standing",
            index=models.Index(fields=["stage", "after_round"], name="standing_first", condition=Q(row=1)),
        ),
        BuildIndex(
            model_name="tournament",
            index=models.Index(SHELF, F("id").desc(), name="tournament_shelf"),
        ),
    ]
