"""A secret that was shown too early: what is drawn from now on is made from a new one, committed to at once.

Who undoes a signature finds the stage's secret public. It cannot be hidden again, and it proves what was drawn until
then, so it is kept and shown; decks and draws that are still to come must not be foretold from it.
"""

from __future__ import annotations

import secrets

from activity.domain_events import DomainEvent
from activity.journal import audit
from engine.deck import commitment
from tournaments.domain_events.stages import StageSecretRenewed
from tournaments.lifecycle.transitions import label
from tournaments.models import DealSet, EarlierSecret, Stage, Tournament
from tournaments.pairing import plans


def renew_secrets(tournament: Tournament) -> list[DomainEvent]:
    """Give every stage that goes on although its secret is public a new one. Returns what is to be told.

    Brackets are drawn as a whole at the start, so they go on by the draw that they have; lots go on to be drawn from
    the first commitment, or else tied entries would change places. Needs the event's lock and a transaction.
    """
    shown = tournament.stages.exclude(revealed_at=None).exclude(state=Stage.State.CLOSED).exclude(secret=None)
    return [_renew(stage) for stage in shown.select_related("tournament", "ruleset").order_by("order")]


def _renew(stage: Stage) -> DomainEvent:
    channel, before = stage.tournament.channel, stage.commitment
    assert stage.revealed_at is not None
    earlier = EarlierSecret.objects.create(
        stage=stage,
        number=stage.earlier_secrets.count() + 1,
        secret=stage.secret,
        commitment=before,
        revealed_at=stage.revealed_at,
    )
    DealSet.objects.filter(stage=stage, earlier=None).update(earlier=earlier)
    if stage.format.is_bracket:
        stage.draw_seed = plans.seed_of(stage)
    stage.lots_seed = stage.lots_seed or before
    stage.secret = secrets.token_bytes(32)
    stage.commitment, stage.revealed_at = commitment(bytes(stage.secret)), None
    stage.save(update_fields=["secret", "commitment", "revealed_at", "draw_seed", "lots_seed"])
    after = {"commitment": stage.commitment, "stage": stage.order}
    audit(StageSecretRenewed, label(stage), actor=None, channel=channel, before={"commitment": before}, after=after)
    return StageSecretRenewed(channel, commitment=stage.commitment, stage=stage.order)
