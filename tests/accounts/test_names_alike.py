"""An update that forbids names alike stops before it changes anything, and says which names and what to do."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.management import CommandError
from django.db import connection, transaction

from accounts.alike import names_alike, require_names_apart
from accounts.models import User

pytestmark = pytest.mark.django_db
ONCE = next(each for each in User._meta.constraints if each.name == "username_once_in_any_case")


def test_names_that_differ_by_case_stop_the_update_with_their_names_and_what_to_do() -> None:
    User.objects.bulk_create([User(username=name) for name in ("Dan", "anna")])
    with connection.schema_editor() as editor:
        require_names_apart(apps, editor)
    assert names_alike(User.objects.all()) == []
    with transaction.atomic():
        with connection.schema_editor() as editor:
            editor.remove_constraint(User, ONCE)
        for name in ("Anna", "dan", "ANNA", "Emi"):
            User.objects.bulk_create([User(username=name)])
        found = [[name for _key, name in group] for group in names_alike(User.objects.all())]
        with connection.schema_editor() as editor, pytest.raises(CommandError) as refused:
            require_names_apart(apps, editor)
        transaction.set_rollback(True)
    assert found == [["anna", "Anna", "ANNA"], ["Dan", "dan"]]
    said = str(refused.value)
    for words in ("ANNA (key ", "Dan (key ", "Nothing was changed", "update(username=", "migrate again"):
        assert words in said, words
    assert "Emi" not in said
