"""A thing that the search of the whole site has found, of any kind."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of the results. note: what tells it from its namesakes; lang: of title and note, "" if the page's."""

    title: str
    url: str
    note: str = ""
    lang: str = ""
