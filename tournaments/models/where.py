"""Where the matches of a stage are played: at tables of a hall, or on this site."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class WhereSettings(models.Model):
    """Columns of a stage about the place of play.

    where: at tables of a hall, whose results people report, or on this site, where the record confirms the result;
    site_clock: of the tables on this site (`tables.play.clocks`), of no meaning elsewhere; admits_programs: remote
    programs may be entered, which answer at these tables under that clock (decision 0148).
    """

    class Where(models.TextChoices):
        HALL = "hall", _("at tables of your own; people report the results")
        SITE = "site", _("on this site; the record of each match confirms its result")

    class SiteClock(models.TextChoices):
        LIVE = "live", _("live: 3 minutes, and 10 seconds more for each move")
        DAYS = "days", _("by turns: 3 days for each move")

    where = models.CharField(
        max_length=4,
        choices=Where.choices,
        default=Where.HALL,
        help_text="hall: at tables whose results people report; site: at tables of this site",
    )
    site_clock = models.CharField(
        max_length=4, choices=SiteClock.choices, default=SiteClock.LIVE, help_text="clock of tables of this site"
    )
    admits_programs = models.BooleanField(default=False, help_text="whether remote programs may be entered")

    class Meta:
        abstract = True

    @property
    def is_on_site(self) -> bool:
        """Return whether people play its matches on this site."""
        return self.where == self.Where.SITE

    @property
    def takes_programs(self) -> bool:
        """Return whether remote programs may sit at its tables."""
        return self.is_on_site and self.admits_programs


WHERE_CONSTRAINTS: Final = [
    models.CheckConstraint(name="stage_where_known", condition=Q(where__in=WhereSettings.Where.values)),
    models.CheckConstraint(name="stage_site_clock_known", condition=Q(site_clock__in=WhereSettings.SiteClock.values)),
]
