"""The refusal of a value that cannot be: which field, what was given, what is allowed."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.errors import TournamentError


def bad_value(name: str, value: object, allowed: tuple[str, ...]) -> TournamentError:
    """TournamentError "tournament.bad_<name>" with extra {"field", "allowed"}."""
    message = _("%(field)s cannot be “%(value)s”. Allowed: %(allowed)s.")
    shown = {"field": name.replace("_", " "), "value": str(value)[:60], "allowed": ", ".join(allowed)}
    return TournamentError(
        message % shown, code=f"tournament.bad_{name}", extra={"field": name, "allowed": list(allowed)}
    )
