"""Clubs: what people wrote as their club, and accounts that joined one."""

from django.conf import settings
from django.db import models


class ClubMember(models.Model):
    """An account that says that it belongs to a club. key: of `clubs.spelling`; name: the usual spelling then.

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
