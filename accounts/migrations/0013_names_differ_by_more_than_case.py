from django.db import migrations, models
from django.db.models.functions import Lower

from accounts.alike import require_names_apart


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0012_names_are_searched'),
    ]

    operations = [
        migrations.RunPython(require_names_apart, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(Lower('username'), name='username_once_in_any_case', violation_error_message='This name is taken.'),
        ),
    ]
