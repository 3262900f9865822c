from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0051_registered_teams'),
    ]

    operations = [
        migrations.AddField(
            model_name='stage',
            name='consolation',
            field=models.BooleanField(default=False, help_text='a knock-out of those who lose in the first round'),
        ),
    ]
