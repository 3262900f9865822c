"""Secrets that one reader must not be shown, and what of them stands in an answer."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, cast

from django.conf import settings
from django.contrib.sessions.models import Session

from accounts.models import User
from bots.models import Lease
from engine.cards import code_of, codes
from engine.deck import bot_rng, deck_order, match_seed
from engine.games.sakura.state import SakuraState
from engine.match import Match as Game
from tests.browser.guarded import KINDS, World, hidden_stages
from tests.browser.registering import beside_of, keys_of, words_of_registration
from tests.browser.secret_words import word
from tournaments.invitations.links import invitation_token
from tournaments.matches.deal_sets import rules_of
from tournaments.models import DealSet, InvitationLink, Match

CARD: Final = re.compile(r"(?<![\d.])\d\d\.\d(?![\d.])")
RUN: Final = 6
"""Length of a run of cards of a hidden deck that is no accident."""
INSIDES: Final = {
    "a path of this machine": (
        *("/tmp/", "site-packages", r"/\.venv/", r"File \"?/", "/usr/lib", re.escape(str(settings.BASE_DIR))),
    ),
    "a traceback": (r"Traceback \(most recent call last\)",),
    "SQL": (r"SELECT .{0,80} FROM ", "LINE 1:", "psycopg", r"sqlite3\.", "relation &quot;", 'relation "'),
    "a password hash": ("pbkdf2_sha", "argon2", r"scrypt\$"),
}
"""Patterns by what they tell. Each is looked for on its own: of one that begins with letters the search skips the rest
of a page, of many joined by | it tries every place.
"""


@dataclass(frozen=True, slots=True)
class Watch:
    """Secrets that one reader must not be shown. words: {text: what it is}; decks: per deal set, runs of cards; beside:
    figures that are secret where a name stands, too.
    """

    words: dict[str, str]
    insides: tuple[re.Pattern[str], ...]
    decks: dict[str, tuple[str, ...]]
    open_legs: dict[str, str]
    beside: tuple[tuple[str, re.Pattern[str]], ...] = ()

    def findings(self, path: str, text: str) -> list[str]:
        """Return what of it stands in an answer to `path`; what the address itself says may come back."""
        found = [f"{what}: {hidden}" for hidden, what in self.words.items() if hidden in text and hidden not in path]
        found += [f"insides: {match.group()}" for inside in self.insides for match in inside.finditer(text)]
        found += [f"a year or an age beside {name}" for name, born in self.beside if name in text and born.search(text)]
        cards = CARD.findall(text)
        if len(cards) >= RUN:
            row = " ".join(cards)
            found += [f"cards of {name}" for name in self._hidden(path) if any(run in row for run in self.decks[name])]
        return found

    def _hidden(self, path: str) -> list[str]:
        """Return the deal sets whose cards must not be here: a finished leg shows its own (docs/decisions/0013)."""
        legs = [deal_set for uuid, deal_set in self.open_legs.items() if uuid in path]
        return [name for name in self.decks if name in legs or not name.startswith("half ")]


def watch_of(world: World, reader: User | None) -> Watch:
    """Return what this reader must not see of the world in any role."""
    words = dict(_of_others(world, reader)) | dict(_secrets()) | dict(_keys())
    of_reader = keys_of(reader)
    words |= words_of_registration(of_reader)
    decks, open_legs = _hidden_decks()
    return Watch(words, insides(but=_shown_to(world, reader)), decks, open_legs, beside_of(of_reader))


def watch_for(keys: frozenset[str]) -> Watch:
    """Return what somebody must not see of registrations who has these keys and no account."""
    return Watch(words_of_registration(keys), insides(), {}, {}, beside_of(keys))


def insides(*, but: frozenset[str] = frozenset()) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of what tells of our insides. but: what may be told."""
    return tuple(re.compile(each) for what, patterns in INSIDES.items() if what not in but for each in patterns)


def _shown_to(world: World, reader: User | None) -> frozenset[str]:
    """Return what a reader may see: owners the tracebacks of their bots, operators why our own side failed."""
    if reader is not None and reader.is_staff:
        return frozenset({"a path of this machine", "SQL"})
    return frozenset({"a traceback"} if reader in (world.people["ann"], world.people["ben"]) else ())


def _of_others(world: World, reader: User | None) -> Iterator[tuple[str, str]]:
    for name, person in world.people.items():
        if person != reader:
            hidden = KINDS if reader is None or not reader.is_staff else [kind for kind in KINDS if kind != "held"]
            yield from ((word(name, kind), f"{kind} of {name}") for kind in hidden)
    name = reader.username if reader else ""
    runs_it = name in ("organiser", "director", "arbiter", "scorer")
    if not runs_it:
        yield word("draft", "name"), "the name of a draft"
    if not runs_it and name not in ("ann", "invited"):
        yield word("private", "name"), "the name of a private event"
    if name not in ("organiser", "director"):
        yield word("invitation", "mail"), "the address of somebody who is invited"
        yield from ((invitation_token(link), "an invitation link") for link in InvitationLink.objects.all())


def _secrets() -> Iterator[tuple[str, str]]:
    for stage in hidden_stages():
        secret, mix = bytes(stage.secret or b""), bytes(stage.mix or b"")
        yield from _forms(secret, f"the secret of {stage}")
        for deal_set in DealSet.objects.filter(stage=stage, revealed_at=None):
            seed = match_seed(secret, mix, deal_set.uuid.bytes)
            yield from _forms(seed, f"the seed of {deal_set}")
            for leg in (1, 2):
                yield from _forms(bot_rng(seed, leg, 0), f"a bot's random numbers in {deal_set}")


def _forms(secret: bytes, what: str) -> Iterator[tuple[str, str]]:
    shapes = {secret.hex(), secret.hex().upper(), str(list(secret))[1:-1], str(secret)[2:-1]}
    shapes |= {encode(secret).decode().rstrip("=") for encode in (b64encode, urlsafe_b64encode)}
    yield from ((shape, what) for shape in shapes)


def _keys() -> Iterator[tuple[str, str]]:
    """Return keys that open something; a reader's own travel in cookies, never in an answer."""
    yield settings.SECRET_KEY, "the secret key"
    yield from ((key, "a session") for key in Session.objects.values_list("session_key", flat=True))
    yield from ((str(token), "a lease") for token in Lease.objects.values_list("token", flat=True))
    yield from ((password, "a password hash") for password in User.objects.values_list("password", flat=True))


def _hidden_decks() -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Return per deal set in play the runs of cards that tell its decks, and the unfinished matches of each."""
    decks: dict[str, tuple[str, ...]] = {}
    open_legs: dict[str, str] = {}
    for deal_set in DealSet.objects.filter(revealed_at=None).select_related("stage").prefetch_related("matches"):
        legs = list(deal_set.matches.all())
        half = "half " if any(leg.state == Match.State.CONFIRMED for leg in legs) else ""
        name = f"{half}{deal_set.uuid}"
        stage = deal_set.stage
        seed = match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), deal_set.uuid.bytes)
        order = [code_of(index) for index in deck_order(seed, 1)]
        runs = [order[start : start + RUN] for start in range(len(order) - RUN)]
        decks[name] = tuple(" ".join(run) for run in [*runs, *hands_of(legs[0])])
        over = (Match.State.CONFIRMED, Match.State.VOID)
        open_legs |= {str(leg.uuid): name for leg in legs if leg.state not in over}
    return decks, open_legs


def hands_of(match: Match) -> list[list[str]]:
    """Return the hands of its first deal in the order of cards, whole: six sorted cards of eight may be like
    others'.
    """
    stage, deal_set = match.stage, match.deal_set
    assert deal_set is not None
    seed = match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), deal_set.uuid.bytes)
    state = cast(SakuraState, Game(rules_of(stage), match.seats_n, seed).state)
    return [codes(hand) for hand in state.hands]
