"""Teams that people register themselves: the captain names members, and each of them confirms."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entrant import Entry
from tournaments.models.event import Tournament
from tournaments.models.registration import Registration


class RegisteredTeam(models.Model):
    """A team, or a pair, that comes together by registration. entry: once all of its people have a place.

    name "": made of the members' names.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="registered_teams")
    name = models.CharField(max_length=60, blank=True)
    captain = models.OneToOneField(Registration, on_delete=models.CASCADE, related_name="captain_of")
    # SET_NULL: a team that is taken apart is put together again once it is whole.
    entry = models.OneToOneField(
        Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="registered_team"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name or f"team of {self.captain.name}"


class TeamPlace(models.Model):
    """A place in such a team beside the captain's, for the person to whom its link was given.

    email: as the captain typed it, erased once the person answers; "": the captain passes the link on. registration: of
    the person, from when they register by the link. is_held: it takes a place of the event until the entries close.
    """

    class State(models.TextChoices):
        INVITED = "invited", _("has not answered yet")
        CONFIRMED = "confirmed", _("confirmed")
        DECLINED = "declined", _("declined")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    team = models.ForeignKey(RegisteredTeam, on_delete=models.CASCADE, related_name="places")
    name = models.CharField(max_length=60)
    email = models.EmailField(blank=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.INVITED)
    # One place a registration: nobody is in two teams.
    registration = models.OneToOneField(
        Registration, on_delete=models.SET_NULL, null=True, blank=True, related_name="team_place"
    )
    is_held = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["team", "pk"]
        constraints = [
            models.CheckConstraint(
                name="team_place_state_known", condition=Q(state__in=("invited", "confirmed", "declined"))
            ),
            models.CheckConstraint(name="team_place_held_while_open", condition=Q(is_held=False) | Q(state="invited")),
        ]

    def __str__(self) -> str:
        return self.name
