"""The seats that have forfeited a match, in words: why, and who wins where the match ended by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.replay.document import Replay
from core.replay.phrases import CAUSES
from core.replay.words import Phrasebook, in_turn, listed, side_name
from tables.actions.answering import TIMEOUT
from tables.actions.leaving import GONE, LEFT

SENTENCES: Final[Mapping[str, Any]] = {
    LEFT: gettext_lazy("%(name)s has left."),
    GONE: gettext_lazy("%(name)s was away too long."),
    TIMEOUT: gettext_lazy("%(name)s ran out of time."),
}


def label_of(code: str) -> str:
    """Return what stands beside the name of a seat that has forfeited."""
    return _(CAUSES.get(code, "forfeit"))


def forfeit_words(replay: Replay, book: Phrasebook) -> str:
    """Say of a match that is over why each seat forfeited, and who wins if the last deal was not finished.

    Returns "" where nobody has forfeited, and while the match goes on.
    """
    if not replay.end or not replay.forfeits:
        return ""
    said = [_sentence(str(one["code"]), replay.called(int(one["seat"]))) for one in replay.forfeits]
    winners = [side_name(replay, side) for side, rank in enumerate(replay.rank) if rank == 1]
    # The card at the end of a deal that was finished says it.
    if winners and not replay.deals[-1].score:
        said.append(_("%(name)s wins.") % {"name": listed(book, winners)})
    return in_turn(book, "more", said)


def _sentence(code: str, name: str) -> str:
    return str(SENTENCES.get(code) or _("%(name)s has forfeited.")) % {"name": name}
