"""A comparison in sentences: the question, its progress, its answer and the limits of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from bots.templatetags.hanami import MINUS
from tournaments.comparisons.queries import ChallengePage
from tournaments.models import Challenge

MAX_SHOWN_ELO = 1_999.0


@dataclass(frozen=True, slots=True)
class Conclusions:
    """Conclusions of a comparison, in words.

    question: the hypothesis; ratio: the progress of the test; answer: its decision, or that there is none yet;
    strength: of the candidate.
    """

    question: str
    ratio: str
    answer: str
    strength: str


def sentences(page: ChallengePage) -> Conclusions:
    """Write the facts of the plot and the tables, to be read or heard."""
    return Conclusions(_question(page.challenge), _ratio(page), _answer(page), _strength(page))


def _question(challenge: Challenge) -> str:
    text = _(
        "Is %(candidate)s clearly stronger than %(reference)s (%(elo1)s Elo rather than %(elo0)s)?"
        " Error rate %(percent)s %%."
    )
    return text % {
        "candidate": challenge.candidate,
        "reference": challenge.reference,
        "elo0": signed(challenge.elo0, 0),
        "elo1": signed(challenge.elo1, 0),
        "percent": number_format(round(100 * max(challenge.alpha, challenge.beta), 1), 0),
    }


def _ratio(page: ChallengePage) -> str:
    lower, upper = page.bounds
    text = _(
        "The log likelihood ratio is %(llr)s after %(n)s deal sets. At %(upper)s the answer is yes, at %(lower)s it "
        "is no."
    )
    shown = {"llr": signed(page.challenge.llr), "upper": signed(upper), "lower": signed(lower)}
    return text % {**shown, "n": number_format(page.challenge.judged, 0)}


def _answer(page: ChallengePage) -> str:
    challenge, state, reason = page.challenge, Challenge.State, Challenge.Reason
    names = {"candidate": challenge.candidate, "reference": challenge.reference, "cap": challenge.cap}
    if challenge.state == state.STRONGER:
        return _("Decided: %(candidate)s is stronger than %(reference)s.") % names
    if challenge.state == state.NOT_STRONGER:
        return _not_stronger(page) % names
    if challenge.state == state.RUNNING:
        return _("Not decided yet.") if page.has_begun else _("Queued: no match has begun yet.")
    if page.side_of_zero:
        return _beside_zero(page) % names
    if challenge.reason == reason.CAP:
        return _("Inconclusive: all %(cap)s deal sets are played, and the result is not certain enough.") % names
    if challenge.reason == reason.STOPPED:
        return _("Inconclusive: it was stopped before the result was certain enough.")
    return _("Inconclusive: one of the two is suspended or retired, so nothing more was drawn.")


def _not_stronger(page: ChallengePage) -> str:
    """Return what a refused hypothesis says: not by the margin, and more where the interval says more."""
    return {
        -1: _("Decided: %(candidate)s is weaker than %(reference)s."),
        0: _("Decided: %(candidate)s is not stronger than %(reference)s by the margin you chose."),
        1: _("Decided: %(candidate)s is stronger than %(reference)s, but not by the margin you chose."),
    }[page.side_of_zero]


def _beside_zero(page: ChallengePage) -> str:
    """Return what the interval says of a comparison that ended before its test had an answer."""
    if page.side_of_zero > 0:
        return _(
            "%(candidate)s is stronger than %(reference)s: the whole interval lies above 0. The test had no answer."
        )
    return _("%(candidate)s is weaker than %(reference)s: the whole interval lies below 0. The test had no answer.")


def _strength(page: ChallengePage) -> str:
    found = page.estimate
    if found is None:
        return _("The strength appears after two deal sets.")
    text = _(
        "%(candidate)s scores %(score)s %% (95 %% interval %(low)s to %(high)s), that is %(elo)s Elo (%(elo_low)s "
        "to %(elo_high)s). This allows for stopping when ahead."
    )
    return text % {
        "candidate": page.challenge.candidate,
        "score": number_format(100 * found.score, 1),
        "low": number_format(100 * found.low, 1),
        "high": number_format(100 * found.high, 1),
        "elo": signed(found.elo, 0),
        "elo_low": signed(found.elo_low, 0),
        "elo_high": signed(found.elo_high, 0),
    }


def signed(value: float, places: int = 2) -> str:
    """Write a number with its sign, a true minus, in the reader's form; beyond what Elo can tell, "∞"."""
    sign = MINUS if value < 0 else "+"
    if abs(value) >= MAX_SHOWN_ELO or abs(value) == inf:
        return f"{sign}∞"
    shown = number_format(round(abs(value), places), places)
    return shown if round(value, places) == 0 else f"{sign}{shown}"
