"""Every rule vector whose preset exists; `--vectors PATH` runs another file of the same format (rules.md 9)."""

from __future__ import annotations

import pytest

from engine.games import PRESETS
from tests.engine.vector_option import PATH_KEY
from tests.engine.vectors.files import KOIKOI, PUBLIC, Vector, load, missing_presets, playable
from tests.engine.vectors.running import run


def test_vector(vector: Vector) -> None:
    run(vector)


def test_a_preset_is_not_half_tested(request: pytest.FixtureRequest) -> None:
    vectors = load(*request.config.stash[PATH_KEY])
    named = {vector["preset"] for vector in playable(vectors)} | set(missing_presets(vectors))
    assert named, "the file has no vectors"
    assert not set(missing_presets(vectors)) & set(PRESETS)


def _vector(name: str) -> Vector:
    return next(vector for vector in load(PUBLIC, KOIKOI) if vector["id"] == name)


@pytest.mark.parametrize(
    ("name", "part", "change"),
    [
        ("C01", "expect", {"pile_left": 22}),
        ("C01", "expect", {"captured_added": {}}),
        ("C01", "expect", {"a_new_key": 1}),
        ("C01", "given", {"a_new_key": 1}),
        ("C01", "action", {"a_new_key": 1}),
        ("C04", "expect", {"reason": "NO_MATCH"}),
        ("C31", "expect", {"events": []}),
        ("C33", "expect", {"step_1": {"blocked_by": "p0"}}),
        ("E02", "expect", {"score": [0, 105]}),
        ("R02", "expect", {"side_piles": [[], [], []]}),
        ("R03", "expect", {"after_deal": {"pile_left": 19}}),
        ("G10", "expect", {"winners": ["p0"]}),
        ("H01", "expect", {"returned": [8, 16, 24, 31]}),
        ("H02", "expect", {"participants": ["p0", "p2"]}),
        ("H02", "given", {"a_new_key": 1}),
        ("H04", "expect", {"ledger_change": {"p2": 7, "p0": -7, "others": 1}}),
        ("H05", "options", {"oibana_payment": "loser_bid"}),
        ("H07", "expect", {"reason": "BID_TOO_HIGH"}),
        ("H08", "expect", {"valid": True}),
        ("B06", "expect", {"field": ["06.3", "06.2", "06.4", "07.1", "07.2", "07.3"]}),
        ("K06", "expect", {"base": 2}),
        ("K06", "given", {"a_new_key": 1}),
        ("K24", "expect", {"score": [7, 0]}),
        ("K43", "expect", {"result": "play"}),
        ("K48", "expect", {"captured_added": {}}),
        ("K48", "action", {"a_new_key": 1}),
        ("K50", "expect", {"reason": "NO_MATCH"}),
        ("K54", "expect", {"field_after": ["06.3", "04.4", "02.2", "09.4", "05.4", "12.3"]}),
        ("K58", "expect", {"legal": ["declare koikoi", "declare stop"]}),
        ("K60", "expect", {"calls": {"p0": 0, "p1": 0}}),
        ("K70", "options", {"viewing": "off"}),
        ("K76", "expect", {"over_after": 1}),
        ("K82", "expect", {"options": {}}),
    ],
)
def test_the_adapter_sees_a_wrong_vector(name: str, part: str, change: dict[str, object]) -> None:
    vector = _vector(name)
    with pytest.raises(AssertionError):
        run({**vector, part: {**vector[part], **change}})
