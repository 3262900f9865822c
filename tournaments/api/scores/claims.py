"""Results as a program sends them, and its answers to one that was reported."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from engine.game import MAX_DEALS
from engine.games import GAMES

BIG: Final = 100_000_000
"""A figure above every score that the options allow."""
MAX_BID: Final = max(game.scoresheet.max_bid for game in GAMES.values())
"""The highest bid that the rules of any game allow."""


class ClaimSerializer(serializers.Serializer[Any]):
    """A result, figures per side: totals (and victories where the match is won by them), or deal by deal.

    winners: per deal the side on top where several are level; with totals of Poka the one side that won the match,
    where a buttakuri ended it below the target. absent: sides that did not come. Sides count from 0.
    yaku (Sakura): per deal and side what was made; the figures of such a deal are card points. bids (Oi-bana): per
    deal and side in place of figures, with winners, losers where bids are equal, margins where Basa or Chu count.
    """

    totals = serializers.ListField(
        child=serializers.IntegerField(min_value=-BIG, max_value=BIG), max_length=7, required=False
    )
    victories = serializers.ListField(
        child=serializers.IntegerField(min_value=-BIG, max_value=BIG), max_length=7, required=False
    )
    deals = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(min_value=-BIG, max_value=BIG), max_length=7),
        max_length=MAX_DEALS,
        required=False,
    )
    winners = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=6, allow_null=True), max_length=MAX_DEALS, required=False
    )
    absent = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=6), max_length=7, required=False
    )
    yaku = serializers.ListField(
        child=serializers.ListField(
            child=serializers.ListField(child=serializers.CharField(max_length=20), max_length=8), max_length=7
        ),
        max_length=MAX_DEALS,
        required=False,
    )
    bids = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(min_value=0, max_value=MAX_BID), max_length=7),
        max_length=MAX_DEALS,
        required=False,
    )
    losers = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=6, allow_null=True), max_length=MAX_DEALS, required=False
    )
    margins = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=BIG), max_length=MAX_DEALS, required=False
    )
    slip = serializers.CharField(
        max_length=120, required=False, help_text="what a slip's address carries: report as its side, without account"
    )
    seen = serializers.CharField(
        max_length=64,
        required=False,
        allow_blank=True,
        default="",
        help_text="`seen` of the table whose reports you have read: without it you overrule no report of a side",
    )


@extend_schema_serializer(component_name="Judgement")  # its name in version 1
class RulingSerializer(ClaimSerializer):
    """An answer to a report: confirm or dispute it (slip, or nothing); rule or correct with a version or with
    figures.
    """

    sides = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=6),
        max_length=6,
        required=False,
        help_text="decide: the sides that go on, from 0",
    )
    version = serializers.IntegerField(min_value=1, max_value=32767, required=False)
    reason = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
    then = serializers.ChoiceField(choices=("keep", "redo"), required=False, default="keep")
    dry_run = serializers.BooleanField(required=False, default=False)
    seen = serializers.CharField(
        max_length=64,
        required=False,
        allow_blank=True,
        default="",
        help_text="correct: of the dry run; rule: of the table, to decide nothing that was not read",
    )
