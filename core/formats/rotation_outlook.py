"""What so many people can expect of rotating partners before anything is drawn: an exact design, or what none can beat.

No search: it answers at once. A rehearsal plans the rounds and knows more.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.formats.model import Reason
from core.formats.rotation import members_of
from core.formats.rotation_designs import whist
from core.formats.rotation_figures import bound_of_partners
from core.formats.rotation_words import SITTING_OUT
from engine.words import gettext_noop

WHOLE = gettext_noop(
    "With %(people)d people there is an exact design: in %(rounds)d rounds everybody is everybody's partner once and "
    "everybody's opponent twice."
)
NOBODY = gettext_noop("With %(people)d people and %(rounds)d rounds nobody has to have a partner twice.")
FORCED = gettext_noop(
    "With %(people)d people and %(rounds)d rounds partners come together again at least %(bound)d times."
)
FEW = gettext_noop("%(people)d people do not fill a table of %(seats)d.")


def outlook(people: int, sides: Sequence[int], rounds: int) -> tuple[Reason, ...]:
    """Sentences about partners and who sits out. Raises FormatError "rotation.sides"."""
    members, seats = members_of(sides), len(sides)
    if people < seats:
        return (Reason("rotation.few", FEW, (("people", people), ("seats", seats))),)
    out = people % seats
    found = [_partners(people, members, seats, rounds)]
    if seats == 4 and members == 2 and (exact := whist(people)):
        found.insert(0, Reason("rotation.whole", WHOLE, (("people", people), ("rounds", len(exact)))))
    if out:
        found.append(Reason("rotation.byes", SITTING_OUT, (("byes", out), ("entries", people), ("seats", seats))))
    return tuple(found)


def _partners(people: int, members: int, seats: int, rounds: int) -> Reason:
    shape = [(members,) * (seats // members)] * (people // seats)
    bound = max(bound_of_partners(people, [shape] * rounds))
    asked = (("people", people), ("rounds", rounds))
    if not bound:
        return Reason("rotation.nobody", NOBODY, asked)
    return Reason("rotation.forced", FORCED, (*asked, ("bound", bound)))
