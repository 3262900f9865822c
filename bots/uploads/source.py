"""Static checks of Python source that never compile it.

`compile` and `ast.parse` can be made to eat all stack or memory by a short source, so only the tokenizer runs here, and
only behind limits. Real syntax errors show in the smoke match, inside the sandbox, with a traceback.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bots.localization import LocalizedMessage, gettext_noop, localized, render_message
from bots.uploads import limits

_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
# The pattern of PEP 263, by which the interpreter itself finds the line.
_CODING: Final = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_FILLING: Final = frozenset({tokenize.NL, tokenize.COMMENT, tokenize.ENCODING})
_UNTERMINATED: Final = frozenset({'"', "'"})


@dataclass(frozen=True, slots=True)
class StaticProblem:
    """Something that would keep the bot from running, in English; `located`: in any language. `line` counts from 1."""

    path: str
    line: int
    what: LocalizedMessage

    @property
    def message(self) -> str:
        return render_message(self.what)

    @property
    def located(self) -> LocalizedMessage:
        """The problem and where it is."""
        message = gettext_noop("%(path)s, line %(line)s: %(what)s")
        return localized(message, path=self.path, line=self.line, what=self.what)

    def __str__(self) -> str:
        return render_message(self.located)


class _Stop(Exception):
    """The rest of this file is not looked at: the problem found makes it pointless."""

    def __init__(self, line: int, message: str, /, **values: str | int | LocalizedMessage) -> None:
        super().__init__(message)
        self.line, self.what = line, localized(message, **values)


def check_source(files: Iterable[tuple[str, bytes]]) -> list[StaticProblem]:
    """Problems of all Python files, at most limits.PROBLEMS, in the order of paths and lines.

    files: as in Upload.files. An empty list means: worth trying in the sandbox.
    """
    listed = sorted(files)
    own = {path.split("/")[0].removesuffix(".py") for path, _ in listed}
    tokens = iter(range(limits.TOKENS))
    problems: list[StaticProblem] = []
    for path, content in listed:
        if path.endswith(".py") and len(problems) < limits.PROBLEMS:
            found = sorted(_problems(path, content, own, tokens), key=lambda problem: problem.line)
            problems.extend(found)
    return problems[: limits.PROBLEMS]


def _problems(path: str, content: bytes, own: set[str], tokens: Iterator[int]) -> Iterator[StaticProblem]:
    """tokens: what is left of the upload's token budget."""
    try:
        text = _text(content)
        scan = _scan(text, tokens)
    except _Stop as stop:
        yield StaticProblem(path, stop.line, stop.what)
        return
    for name, line in scan.imports:
        if name not in own and not _is_there(name):
            message = gettext_noop(
                "the module %(name)s is not available: bots have the pure standard library, numpy and hanami. "
                "Pack it with the bot or do without it."
            )
            yield StaticProblem(path, line, localized(message, name=name))
    if path == limits.ENTRY_FILE and not scan.names_choose:
        message = gettext_noop("there is no choose(obs). Write `def choose(obs):` at the top level of bot.py.")
        yield StaticProblem(path, 1, localized(message))


def _is_there(name: str) -> bool:
    return name in limits.SDK_MODULES or (name in sys.stdlib_module_names and name not in limits.MISSING_MODULES)


def _text(content: bytes) -> str:
    """The source as text, once its size, lines and encoding are within bounds."""
    if len(content) > limits.SOURCE_BYTES:
        message = gettext_noop("longer than %(n)s KiB. Move tables into an asset (json, npy, bin).")
        raise _Stop(1, message, n=limits.SOURCE_BYTES // 1024)
    lines = content.splitlines()
    if len(lines) > limits.SOURCE_LINES:
        message = gettext_noop("more than %(n)s lines. Move tables into an asset.")
        raise _Stop(limits.SOURCE_LINES, message, n=limits.SOURCE_LINES)
    for number, line in enumerate(lines, 1):
        if len(line) > limits.LINE_LENGTH:
            message = gettext_noop("longer than %(n)s bytes. Break the line or use an asset.")
            raise _Stop(number, message, n=limits.LINE_LENGTH)
        # PEP 263 looks at the first two lines alone.
        coding = _CODING.match(line) if number <= 2 else None
        if coding and coding[1].lower().replace(b"_", b"-") not in (b"utf-8", b"utf8"):
            raise _Stop(number, gettext_noop("the source must be UTF-8. Save it as UTF-8 and remove the coding line."))
    try:
        # A byte order mark is allowed, as the interpreter allows it.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = content.count(b"\n", 0, error.start) + 1
        raise _Stop(at, gettext_noop("not UTF-8. Save the file as UTF-8.")) from error


@dataclass(slots=True)
class _Scan:
    """Summary of the tokens: modules imported at the top level, whether `choose` can exist, what is open."""

    imports: list[tuple[str, int]] = field(default_factory=list)
    names_choose: bool = False
    brackets: list[tuple[str, int]] = field(default_factory=list)
    indents: int = 0
    statement: list[tokenize.TokenInfo] = field(default_factory=list)
    statement_tokens: int = 0


def _scan(text: str, tokens: Iterator[int]) -> _Scan:
    scan = _Scan()
    try:
        lines = io.StringIO(text, newline=None)  # every kind of end of line, as the interpreter takes them
        for token in tokenize.generate_tokens(lines.readline):
            if next(tokens, None) is None:
                message = gettext_noop("more than %(n)s tokens in all. Move tables into an asset.")
                raise _Stop(token.start[0], message, n=limits.TOKENS)
            _take(scan, token)
    except tokenize.TokenError as error:
        line = error.args[1][0]
        opened = scan.brackets[-1] if scan.brackets else None
        if opened is None:
            raise _Stop(line, gettext_noop("a string is never closed. Close it.")) from error
        message = gettext_noop("the %(mark)s of line %(line)s is never closed. Close it.")
        raise _Stop(opened[1], message, mark=opened[0], line=opened[1]) from error
    except IndentationError as error:
        message = gettext_noop("the indentation matches no line above. Indent it like one of them.")
        raise _Stop(error.lineno or 1, message) from error
    except SyntaxError as error:
        raise _Stop(error.lineno or 1, gettext_noop("%(text)s."), text=error.msg) from error
    return scan


def _take(scan: _Scan, token: tokenize.TokenInfo) -> None:
    """Follow one token: nesting, statement length, and the statement's meaning at its end."""
    line = token.start[0]
    if token.type == tokenize.ERRORTOKEN and not token.string.isspace():
        message = gettext_noop("this character is not allowed here: %(text)s. Correct it.")
        if token.string in _UNTERMINATED:
            message = gettext_noop("a string is not closed on its line: %(text)s. Correct it.")
        raise _Stop(line, message, text=f"{token.string[:10]!r}")
    if token.type == tokenize.INDENT:
        scan.indents += 1
        if scan.indents > limits.INDENT_DEPTH:
            message = gettext_noop("indented more than %(n)s deep. Split the function.")
            raise _Stop(line, message, n=limits.INDENT_DEPTH)
    elif token.type == tokenize.DEDENT:
        scan.indents -= 1
    elif token.type == tokenize.OP:
        _follow_bracket(scan, token)
    if token.type == tokenize.NEWLINE or (token.type == tokenize.OP and token.string == ";" and not scan.brackets):
        _end_statement(scan)
    elif token.type not in _FILLING and token.type not in (tokenize.INDENT, tokenize.DEDENT):
        scan.statement_tokens += 1
        if scan.statement_tokens > limits.STATEMENT_TOKENS:
            message = gettext_noop("a statement has more than %(n)s tokens. Move tables into an asset.")
            raise _Stop(line, message, n=limits.STATEMENT_TOKENS)
        # The first words tell an import; a longer statement need not be remembered.
        if len(scan.statement) < 64:
            scan.statement.append(token)


def _follow_bracket(scan: _Scan, token: tokenize.TokenInfo) -> None:
    line = token.start[0]
    if token.string in _PAIRS.values():
        scan.brackets.append((token.string, line))
        if len(scan.brackets) > limits.BRACKET_DEPTH:
            message = gettext_noop("brackets nested more than %(n)s deep. Split the expression.")
            raise _Stop(line, message, n=limits.BRACKET_DEPTH)
    elif token.string in _PAIRS:
        opened = scan.brackets.pop() if scan.brackets else None
        if opened is None or opened[0] != _PAIRS[token.string]:
            message = gettext_noop("%(mark)s closes nothing that is open. Remove it or open it.")
            raise _Stop(line, message, mark=repr(token.string))


def _end_statement(scan: _Scan) -> None:
    """Note what a statement of the top level imports; deeper ones (inside try, if, def) may be optional."""
    words = [token.string for token in scan.statement]
    # Generous: `choose` may be assigned, imported or come by a star. The smoke match finds out.
    scan.names_choose |= "choose" in words or (words[:1] == ["from"] and words[-1:] == ["*"])
    line = scan.statement[0].start[0] if scan.statement else 0
    scan.statement, scan.statement_tokens = [], 0
    if scan.indents or not words:
        return
    if words[0] == "import":
        scan.imports.extend((name, line) for name in _imported(words[1:]))
    elif words[0] == "from" and len(words) > 1 and words[1].isidentifier():
        scan.imports.append((words[1], line))


def _imported(words: Sequence[str]) -> Iterator[str]:
    """`a.b as c, d` -> a, d: the first word and each one behind a comma."""
    return (word for before, word in zip([",", *words], words, strict=False) if before == "," and word.isidentifier())
