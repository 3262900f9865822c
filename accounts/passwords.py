"""Passwords that are too easily guessed: those on everybody's list, also with digits or signs around them."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import Final

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

LEET: Final = str.maketrans("@4310$5!7", "aaeiossit")
EDGES: Final = re.compile(r"^[\W\d_]+|[\W\d_]+$")
OURS: Final = frozenset({"hanami", "hanafuda", "sakura", "koikoi", "tournament"})
RUNS: Final = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")
MIN_LETTERS: Final = 4
"""Letters that must be left of a listed password without its edges: "a1" leaves too little to compare."""


class UndressedPasswordValidator(CommonPasswordValidator):
    """Django's list of 20,000, also of what is left without digits and signs around it, or written with @ for a.

    Guessing programs try those changes first. A word of ours, a run of the keyboard and one letter again and again are
    as good as listed.
    """

    def validate(self, password: str, user: object = None) -> None:
        """Raise ValidationError "password_too_common" for a password that is easily guessed."""
        if any(self._is_known(each) for each in _forms(password)):
            raise ValidationError(self.get_error_message(), code="password_too_common")

    @cached_property
    def _words(self) -> frozenset[str]:
        """Return the words of the list, without digits and signs around them."""
        found = {EDGES.sub("", each) for each in self.passwords}
        return frozenset(each for each in found if len(each) >= MIN_LETTERS) | OURS

    def _is_known(self, text: str) -> bool:
        # "aaaaaaaa" and "abababab" stand for all their kind.
        if text in self.passwords or len(set(text)) <= 2:
            return True
        if any(text in run or text in run[::-1] for run in RUNS):
            return True
        return EDGES.sub("", text) in self._words


def _forms(password: str) -> set[str]:
    """Return the password as a guessing program has it: in small letters, with and without signs read as letters."""
    # NFKC: full-width letters of a Japanese keyboard are the same letters to a guesser.
    plain = unicodedata.normalize("NFKC", password).casefold().strip()
    return {plain, plain.translate(LEET), EDGES.sub("", plain).translate(LEET)} - {""}
