"""The list of bots is read along this index, the best rated first."""

from django.db import migrations, models

from bots.indexing import BuildIndex


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tournaments", "0063_stages_that_admit_programs")]

    operations = [
        BuildIndex(
            model_name="rating",
            index=models.Index(condition=models.Q(version__isnull=False), fields=["-value"], name="rating_best"),
        ),
    ]
