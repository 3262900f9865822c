"""Teams of people who share a side: their members, and the draws that made partners."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entrant import Entry
from tournaments.models.event import Tournament


class Member(models.Model):
    """A person in a team, on its seat `number` (1: the captain), from a round of a stage to before another.

    `person`: the entry they came with; it is not drawn while they are in a team. A substitute takes over a number from
    a round on; the replaced person keeps the row, with an end.
    """

    team = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="memberships")
    number = models.PositiveSmallIntegerField()
    from_stage = models.PositiveSmallIntegerField(default=1)
    from_round = models.PositiveSmallIntegerField(default=1)
    until_stage = models.PositiveSmallIntegerField(null=True, blank=True)
    until_round = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            # Only rows without an end are compared: a number, and a person, may return after a substitution.
            models.UniqueConstraint(
                fields=["team", "number"], condition=Q(until_round__isnull=True), name="member_number_once"
            ),
            models.UniqueConstraint(
                fields=["person"], condition=Q(until_round__isnull=True), name="member_of_one_team"
            ),
            models.CheckConstraint(name="member_number_from_1", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="member_end_whole",
                condition=Q(until_stage__isnull=True, until_round__isnull=True)
                | Q(until_stage__isnull=False, until_round__isnull=False),
            ),
        ]
        ordering = ["team", "number", "from_stage", "from_round"]

    def __str__(self) -> str:
        return f"{self.person} in {self.team}"


class PartnerDraw(models.Model):
    """One draw of partners. It is committed to first, in `commitment`; its seed is public once it is drawn.

    `listed`: the people who were drawn, in the order of their ids: [{"entry", "name", "club", "state"}], the state
    before; `teams`: the teams, lists of ids in the order of the lots; `left`: ids of those for whom there was no
    partner. age_gap: the years that partners were to be apart, 0 without that rule; too_close: pairs that are nearer.
    """

    class Rule(models.TextChoices):
        LOTS = "lots", _("at random")
        CLUBS = "clubs", _("partners of different clubs where possible")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="partner_draws")
    number = models.PositiveSmallIntegerField()
    # Made with the row and shown only when it is drawn: `commitment` is public before anybody knows the lots.
    secret = models.BinaryField()
    commitment = models.CharField(max_length=80)
    rule = models.CharField(max_length=10, choices=Rule.choices, default=Rule.LOTS)
    size = models.PositiveSmallIntegerField(default=2)
    age_gap = models.PositiveSmallIntegerField(default=0)
    too_close = models.PositiveSmallIntegerField(default=0)
    listed = models.JSONField(default=list, blank=True)
    teams = models.JSONField(default=list, blank=True)
    left = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    drawn_at = models.DateTimeField(null=True, blank=True)
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=300, blank=True, help_text="why it was taken back")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="partner_draw_number_once"),
            # A second open commitment would let an organiser choose between two draws.
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(drawn_at__isnull=True), name="partner_draw_one_open"
            ),
        ]
        ordering = ["tournament", "number"]

    def __str__(self) -> str:
        return f"draw {self.number} of partners"
