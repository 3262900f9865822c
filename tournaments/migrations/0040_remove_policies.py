"""The JSON column that held settings of tournaments is empty, and goes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0039_rows_moved")]

    operations = [migrations.RemoveField(model_name="tournament", name="policies")]
