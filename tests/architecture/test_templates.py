"""The layout of templates: one element a line, none longer than 120 characters (djLint checks the rest)."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import name_of
from tests.services.processes import ROOT

MAX_LINE_LENGTH = 120
UNBREAKABLE_LINES = 23
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}")
VALUE = re.compile(r'"[^"]*"')
DJLINT = Path(sys.executable).parent / "djlint"


def _can_break(line: str) -> bool:
    """Return whether there is a space outside of tags and values of attributes, or a long text to translate."""
    bare = VALUE.sub('""', TAG.sub("", line.strip()))
    return " " in bare or bool(re.search(r'\{% translate "[^"]{80,}"|endblocktranslate %\}.*\{% endblocktr', line))


def test_lines_are_short_unless_there_is_no_place_to_break_them() -> None:
    long = [
        (f"{name_of(path)}:{number} ({len(line)} characters)", line)
        for path in TEMPLATES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > MAX_LINE_LENGTH
    ]
    assert [place for place, line in long if _can_break(line)] == []
    assert len(long) <= UNBREAKABLE_LINES, [place for place, _line in long]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("<ul><li>One</li></ul>\n", "T100"),
        ("<td>One</td><td>Two</td>\n", "T100"),
        ("{% if rows %}<table>\n</table>\n{% endif %}\n", "T101"),
        ("<ul>\n<li>One <strong>and</strong> two</li>\n</ul>\n", ""),
    ],
)
def test_one_element_a_line_is_a_rule_of_the_linter(tmp_path: Path, text: str, rule: str) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    rules: list[str | Path] = ["--configuration", ROOT / "pyproject.toml", "--rules", ROOT / ".djlint_rules.yaml"]
    done = subprocess.run([DJLINT, "--lint", *rules, tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode != 0, rule in done.stdout) == (rule != "", True), done.stdout
