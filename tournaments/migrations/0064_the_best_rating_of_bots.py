from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('bots', '0001_squashed_0015_remote_programs'),
        ('tournaments', '0063_stages_that_admit_programs'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(condition=models.Q(('version__isnull', False)), fields=['-value'], name='rating_best'),
        ),
    ]
