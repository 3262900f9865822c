"""Names of accounts that differ only by case: they were allowed once, and stop the update that forbids them."""

from typing import Any, Final

from django.core.management import CommandError
from django.db.models import Count, QuerySet
from django.db.models.functions import Lower

MAXIMUM: Final = 50
"""Groups that the message lists. The rest comes when it is tried again."""
ADVICE: Final = (
    "These accounts have names that differ only by upper and lower case, which is not allowed any more:\n%(names)s\n"
    "Nothing was changed. Give all but one of each line another name, and tell their owners, e.g.\n"
    '  python manage.py shell -c "from accounts.models import User; '
    "User.objects.filter(pk=KEY).update(username='NEW NAME')\"\n"
    "Then migrate again."
)


def names_alike(people: QuerySet[Any]) -> list[list[tuple[int, str]]]:
    """Return the accounts (key and name) that share a name in several spellings, by group, the oldest account first.

    The database compares, as its constraint will. Two queries.
    """
    spelled = people.annotate(spelled=Lower("username"))
    # The empty order: one that the caller gave would be part of GROUP BY, and every name a group of its own.
    twice = spelled.order_by().values("spelled").annotate(n=Count("pk")).filter(n__gt=1).values("spelled")
    groups: dict[str, list[tuple[int, str]]] = {}
    for lower, key, name in (
        spelled.filter(spelled__in=twice).order_by("spelled", "pk").values_list("spelled", "pk", "username")
    ):
        groups.setdefault(lower, []).append((key, name))
    return list(groups.values())


def require_names_apart(apps: Any, schema_editor: Any) -> None:
    """Stop a migration before it changes anything. Raises CommandError that names the accounts and what to do."""
    people = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    found = names_alike(people)
    if not found:
        return
    lines = ["  " + ", ".join(f"{name} (key {key})" for key, name in group) for group in found[:MAXIMUM]]
    more = [f"  and {len(found) - MAXIMUM} more"] if len(found) > MAXIMUM else []
    raise CommandError(ADVICE % {"names": "\n".join(lines + more)})
