"""Clubs: what people wrote as their club, and accounts that joined one."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import models
from django.utils.text import slugify

from accounts.alphabet import name_key

MAX_KEY: Final = 100


def club_key(name: str) -> str:
    """Return the key of a club, which is the last part of its address, too; "" for a name without letters.

    >>> club_key("Café  ＫＯＩ"), club_key("cafe koi")
    ('cafe-koi', 'cafe-koi')
    """
    plain = name_key(unicodedata.normalize("NFKC", name)).partition("\x01")[0]
    key = slugify(" ".join(plain.split()), allow_unicode=True)
    if not key and plain.strip():
        return hashlib.sha256(plain.strip().encode()).hexdigest()[:16]  # signs alone, as in “☆☆☆”
    return key if len(key) <= MAX_KEY else f"{key[:80]}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


if TYPE_CHECKING:
    Text = models.CharField[str, str]
else:
    Text = models.CharField


class ClubKeyField(Text):
    """The key of what stands in `club` beside it, written with every save, so that all spellings are found at once."""

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        """Return the key of the club as it is now."""
        setattr(model_instance, self.attname, club_key(model_instance.club))
        return super().pre_save(model_instance, add)


class ClubMember(models.Model):
    """An account that says that it belongs to a club. key: of `club_key`; name: the usual spelling then.

    A club has no row: it is there as long as somebody was entered for it, or belongs to it.
    """

    # CASCADE: it is there for this person alone, so it is in the copy of their data and goes with the account.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="clubs")
    key = models.CharField(max_length=120, db_index=True)
    name = models.CharField(max_length=60)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="club_member_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.name}"
