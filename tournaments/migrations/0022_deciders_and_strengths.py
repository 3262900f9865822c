from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0021_photos_of_slips"),
    ]

    operations = [
        migrations.AddField(
            model_name="adjustment",
            name="counts_in",
            field=models.CharField(
                blank=True, choices=[("", "the score"), ("decider", "the decider")], default="", max_length=10
            ),
        ),
        migrations.AddField(
            model_name="stageentry",
            name="strength",
            field=models.CharField(blank=True, default="", help_text="exact rational, e.g. 2531/100", max_length=20),
        ),
    ]
