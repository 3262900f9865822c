"""Photos of paper slips that people at a table send with their results."""

from django.db import models

from tournaments.models.match import Match


class SlipPhoto(models.Model):
    """The photo of its slip that one side of a table has sent: evidence for scorers and arbiters, kept for some weeks.

    image: a JPEG that the server drew again (`scores.pictures`), so it holds pixels and nothing else. A side has one
    photo; a newer one takes its place.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="photos")
    side = models.PositiveSmallIntegerField()
    image = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    sent_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "side"], name="photo_one_a_side")]

    def __str__(self) -> str:
        return f"photo of side {self.side} of {self.match}"
