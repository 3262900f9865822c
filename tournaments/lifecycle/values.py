"""Values that people send: refusals in the words of the page, and reasons for all to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.printable import is_printable
from engine.game import OptionInfo
from engine.games import option_table
from tournaments.lifecycle.field_words import choice_of, label_of, option_label, option_word

# Characters of a value that a refusal repeats: enough to recognise it, too little to fill a page with.
MAX_SHOWN: Final = 60
# A sentence, and a shorter one for a place beside the field, where the field need not be named.
TextPair = tuple[str, str]


class BadValue(TournamentError):
    """A refused value. beside: the sentence that stands beside its field."""

    def __init__(self, text: TextPair, *, code: str, extra: dict[str, object]) -> None:
        super().__init__(text[0], code=code, extra=extra)
        self.beside = text[1]


def bad_value(name: str, value: object, allowed: tuple[str, ...]) -> BadValue:
    """Return the refusal of one of several choices: "tournament.bad_<name>", extra {"field", "allowed"}.

    allowed: as programs send them; people read their words.
    """
    text = _of_choices(label_of(name), choice_of(name, str(value)), [choice_of(name, each) for each in allowed])
    return BadValue(text, code=f"tournament.bad_{name}", extra={"field": name, "allowed": list(allowed)})


def bad_number(name: str, value: object, low: int, high: int) -> BadValue:
    """Return the same for a number outside its bounds."""
    text = _of_bounds(label_of(name), value, low, high)
    return BadValue(text, code=f"tournament.bad_{name}", extra={"field": name, "allowed": [f"{low} … {high}"]})


def bad_option(game: str, value: object, extra: dict[str, object]) -> BadValue | None:
    """Return the same for a single rule, "tournament.bad_option"; None for one that the game does not have.

    extra: of the engine's refusal, "option" and "allowed".
    """
    info = next((each for each in option_table(game) if each.id == extra.get("option")), None)
    if info is None:
        return None
    label = option_label(info.id, info.meaning)
    if info.kind == "number" and info.maximum is not None:
        text = _of_bounds(label, value, info.minimum or 0, info.maximum)
    else:
        text = _of_choices(label, option_word(info, value), _words(info))
    return BadValue(text, code="tournament.bad_option", extra=extra)


def _words(info: OptionInfo) -> list[str]:
    if info.kind == "number":
        return [_("%(low)s or more") % {"low": info.minimum or 0}]
    return [option_word(info, each) for each in (info.allowed if info.kind == "choice" else (True, False))]


def _of_choices(label: str, value: str, allowed: Sequence[str]) -> TextPair:
    shown = {"field": label, "value": value[:MAX_SHOWN], "allowed": ", ".join(allowed)}
    message = _("“%(field)s” cannot be “%(value)s”. Allowed: %(allowed)s.")
    return message % shown, _("This cannot be “%(value)s”. Allowed: %(allowed)s.") % shown


def _of_bounds(label: str, value: object, low: int, high: int) -> TextPair:
    shown = {"field": label, "value": str(value)[:MAX_SHOWN], "low": low, "high": high}
    message = _("“%(field)s” goes from %(low)s to %(high)s, so it cannot be %(value)s.")
    return message % shown, _("This goes from %(low)s to %(high)s, so it cannot be %(value)s.") % shown


# As long as the columns `reason` are.
REASON_LENGTH: Final = 300


def written_reason(text: str, *, kind: str) -> str:
    """The reason as one line. kind: the first word of the codes ("tournament", "match").

    Raises TournamentError "<kind>.reason_needed", "<kind>.reason_invalid" (invisible characters),
    "<kind>.reason_too_long".
    """
    reason = " ".join(text.split())
    if not reason:
        message = _("Give a reason: everybody who entered or follows the event can read it.")
        raise TournamentError(message, code=f"{kind}.reason_needed")
    # Everybody reads a reason: characters that change the direction of the text, or hide some of it, are refused.
    if not is_printable(reason):
        message = _("The reason holds invisible characters. Type it again.")
        raise TournamentError(message, code=f"{kind}.reason_invalid")
    if len(reason) > REASON_LENGTH:
        message = _("The reason may have at most %(most)s characters, and yours has %(n)s. Shorten it.")
        raise TournamentError(message % {"most": REASON_LENGTH, "n": len(reason)}, code=f"{kind}.reason_too_long")
    return reason
