"""An option that is added to a game later changes no ruleset, record or hash of before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, make_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import ENGINE_VERSION
from engine.canonical import canonical, record_hash
from engine.deck import commitment
from engine.errors import BadOption
from engine.game import GAMES, OptionInfo, Options, OptionValue, Ruleset
from engine.games import PRESETS, ruleset
from engine.match import Match
from engine.record import rederive, verify, write
from engine.record_compact import compact, expand

RECORDS = Path(__file__).parents[1] / "data" / "records"
SEED = bytes(range(32))
SINCE = "1.0.9"
WAYS = ("they fall", "they stay")
PETALS = OptionInfo("petals", "choice", ("fall", "stay"), "fall", "What petals do", "toy", WAYS, since=SINCE)
STORM = OptionInfo("storm", "flag", (False, True), False, "Whether it storms", "toy", ("no", "yes"), since=SINCE)
ADDED = (PETALS, STORM)
HASHES = {preset: ruleset(preset).hash for preset in PRESETS}
JSONS = {preset: ruleset(preset).canonical() for preset in PRESETS}


@cache
def _shape(known: type[object]) -> Any:
    """The dataclass of a game's options with the two added ones."""
    fields = [(info.id, object) for info in ADDED]
    return make_dataclass("More", fields, bases=(known,), frozen=True, slots=True, kw_only=True)


class WithOptions:
    """A game with two options more; for the rest it is the real one."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    @property
    def options(self) -> tuple[OptionInfo, ...]:
        return (*self._game.options, *ADDED)

    def read_options(self, values: Mapping[object, object]) -> Options:
        own = {info.id: info.read(values.get(info.id, info.default)) for info in ADDED}
        known: Options = self._game.read_options({key: value for key, value in values.items() if key not in own})
        kind: Any = type(known)
        made: Options = _shape(kind)(**asdict(known), **own)
        return made


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has the two options."""
    for name, game in list(GAMES.items()):
        monkeypatch.setitem(GAMES, name, WithOptions(game))


def a_document(**options: OptionValue) -> dict[str, Any]:
    """A record of one deal of Hawaii for two, played by the first legal action each time."""
    match = Match(ruleset("hawaii", rounds=1, **options), 2, SEED)
    while not match.is_over:
        match.apply(match.legal_actions()[0])
    text = json.dumps(write(match, match_id="m", fair={"commit": commitment(SEED)}, bots=[None, None], preset="hawaii"))
    document: dict[str, Any] = json.loads(text)
    return document


@pytest.mark.parametrize("preset", PRESETS)
def test_a_ruleset_keeps_its_json_and_hash(preset: str) -> None:
    rules = ruleset(preset)
    assert (rules.canonical(), rules.hash) == (JSONS[preset], HASHES[preset])
    assert Ruleset.from_json(json.loads(JSONS[preset])) == rules
    assert rules.resolved()["petals"] == "fall"
    assert ruleset(preset, petals="fall", storm=False).hash == HASHES[preset], "the default said aloud is the default"


@pytest.mark.parametrize("preset", PRESETS)
def test_another_value_is_another_ruleset(preset: str) -> None:
    rules = ruleset(preset, storm=True)
    assert rules.hash != HASHES[preset]
    assert rules.to_json()["options"] == {**json.loads(JSONS[preset])["options"], "storm": 1}
    assert Ruleset.from_json(json.loads(rules.canonical())) == rules


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_records_of_before_are_read_and_played_again(path: Path) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    document, seed = kept["document"], bytes.fromhex(kept["seed"])
    assert verify(document, seed=seed).ok
    assert rederive(document) == canonical(document["record"])
    assert canonical(expand(compact(document, seed))["record"]) == canonical(document["record"])


def test_a_record_by_the_new_option_proves_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.record.ENGINE_VERSION", SINCE)
    document = a_document(petals="stay")
    assert document["record"]["ruleset"]["options"]["petals"] == "stay"
    assert verify(document).ok


def test_no_engine_has_played_by_an_option_that_came_after_it() -> None:
    document = a_document(petals="stay")
    assert document["record"]["engine"] == ENGINE_VERSION < SINCE
    assert (verify(document).code, verify(document).where) == ("record.ruleset", "ruleset")


@pytest.mark.parametrize("said", [{"petals": "fall"}, {"storm": 0}, {"petals": "fall", "storm": 0}])
def test_a_record_has_one_way_to_say_its_rules(said: dict[str, Any]) -> None:
    document = a_document()
    document["record"]["ruleset"]["options"] |= said
    document["hash"] = record_hash(document["record"])
    assert verify(document).code == "record.ruleset"


def test_an_option_that_is_not_known_is_still_refused() -> None:
    with pytest.raises(BadOption):
        ruleset("hawaii", thunder=True)
