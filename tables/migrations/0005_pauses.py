from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0004_greetings'),
    ]

    operations = [
        migrations.AddField(
            model_name='livetable',
            name='asked_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='livetable',
            name='paused_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
