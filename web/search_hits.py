"""A thing that the search of the whole site has found, of any kind."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of the results. note: what tells it from its namesakes; lang: of title and note, "" if the page's.

    parts: (text, was looked for) of an excerpt, instead of a note. face: a bot or person, whose emblem stands in front;
    preset: whose card does; card: its code, of the card that does; fan: codes of the first cards of a yaku, which do.
    event: a tournament, whose state is shown; cards: the codes of a month's cards.
    """

    title: str
    url: str
    note: str = ""
    lang: str = ""
    parts: tuple[tuple[str, bool], ...] = ()
    face: object = None
    preset: str = ""
    card: str = ""
    fan: tuple[str, ...] = ()
    event: object = None
    cards: tuple[str, ...] = ()
