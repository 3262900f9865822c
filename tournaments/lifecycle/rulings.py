"""Tables of people whose result an organiser or arbiter decided: "ruled", where others say "confirmed"."""

from django.db.models import Exists, OuterRef

from tournaments.models import ResultReport


def ruled() -> Exists:
    """Of a match, whether what counts was decided with a reason, after a dispute or as a correction.

    Imported results have a reason too, but nobody's side: what was said at a table here always names it (or null).
    """
    said = ResultReport.objects.filter(match=OuterRef("pk"), state=ResultReport.State.CONFIRMED, body__has_key="side")
    return Exists(said.filter(source=ResultReport.Source.PEOPLE).exclude(reason=""))
