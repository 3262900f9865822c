"""Give modules another import root: `engine.cards` becomes `hanafuda.cards`, in imports, names, strings and prose.

Only places are edited that the parser and the tokenizer name, so that everything else stays as it is, byte for byte.
Then the result is proved: the syntax tree of the old source, renamed by a second implementation that works on trees,
has to be the tree of the new source. What the two see differently stops the build.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

TAKES_A_MODULE: Final = frozenset({"import_module", "find_spec", "files", "resolve_name", "__import__"})
"""Functions whose first argument is the name of a module, so that `files("kit")` is understood."""
_TEXT_TOKENS: Final = frozenset(
    # A part of an f-string is a token of its own from Python 3.12 on.
    {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
)


class CannotRewrite(ValueError):
    """A source whose names cannot be told apart with certainty; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Roots:
    """New import roots.

    renamed: old root to new one, {"engine": "hanafuda", "bots": "hanami_kit.bots"}; modules: every module there is,
    by its old dotted name; codes: strings that look like modules and are none ("kit.service" is the code of an error).
    """

    renamed: Mapping[str, str]
    modules: frozenset[str]
    codes: frozenset[str] = frozenset()

    def module(self, dotted: str) -> str:
        """Return the new name of a module or of something in it."""
        root, dot, rest = dotted.partition(".")
        return self.renamed.get(root, root) + dot + rest

    def is_ours(self, dotted: str) -> bool:
        """Return whether the first part is one of the roots."""
        return dotted.partition(".")[0] in self.renamed

    def text(self, text: str) -> str:
        """Return a string or a comment with the modules in it renamed; words that name no module stay."""
        roots = "|".join(map(re.escape, self.renamed))
        text = re.sub(rf"(?<![\w./-])(?:{roots})(?:\.[A-Za-z_]\w*)+", self._renamed_if_module, text)
        # `python -m kit` starts a package by its bare name.
        return re.sub(rf"(?<= -m )(?:{roots})(?![\w.])", lambda found: self.module(found[0]), text)

    def _renamed_if_module(self, found: re.Match[str]) -> str:
        root, first = found[0].split(".")[:2]
        is_module = f"{root}.{first}" in self.modules and found[0] not in self.codes
        return self.module(found[0]) if is_module else found[0]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The new source. imports: modules of ours that it imports, by their old names."""

    source: str
    imports: frozenset[str]


@dataclass(frozen=True, slots=True, order=True)
class _Edit:
    """line: from 1; column: in characters; the `old` text stands there."""

    line: int
    column: int
    old: str
    new: str


def rewrite(source: str, file: str, roots: Roots) -> Rewritten:
    """Return a module's source with the new roots. Raises CannotRewrite; `file` is for its message."""
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    bound = _bound_roots(tree, file, roots)
    edits = sorted({*_of_imports(tree, lines, roots), *_of_names(tree, lines, bound, roots),
                    *_of_module_arguments(tree, lines, roots), *_of_texts(source, roots)})  # fmt: skip
    for edit in reversed(edits):  # from the end: an edit moves what stands behind it
        line = lines[edit.line - 1]
        if not line.startswith(edit.old, edit.column):
            raise CannotRewrite(f"{file}:{edit.line}: {edit.old} is not where the parser has it")
        lines[edit.line - 1] = line[: edit.column] + edit.new + line[edit.column + len(edit.old) :]
    written = "".join(lines)
    _prove(source, written, file, bound, roots)
    return Rewritten(written, frozenset(_imported(tree, roots)))


def _imported(tree: ast.AST, roots: Roots) -> Iterator[str]:
    """Yield the modules of ours that are imported; of `from engine import games` both."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if roots.is_ours(alias.name))
        elif isinstance(node, ast.ImportFrom) and not node.level and roots.is_ours(node.module or ""):
            yield str(node.module)
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name for name in names if name in roots.modules)


def _bound_roots(tree: ast.AST, file: str, roots: Roots) -> frozenset[str]:
    """Return the roots that `import engine` or `import engine.cards` binds as names.

    Raises CannotRewrite if such a name is also a variable: which one is meant could only be guessed.
    """
    bound = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if not alias.asname and roots.is_ours(alias.name)
    }
    for node in ast.walk(tree):
        for name in bound & set(_binds(node)):
            raise CannotRewrite(f"{file}:{getattr(node, 'lineno', 0)}: {name} is a module and a variable here")
    return frozenset(bound)


def _binds(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds other than by `import name`."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other) if other:
            yield other
        case ast.ImportFrom(names=names):
            yield from (each.name for each in names if not each.asname)


def _of_imports(tree: ast.AST, lines: list[str], roots: Roots) -> Iterator[_Edit]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if roots.is_ours(alias.name):
                    yield _edit(lines, alias.lineno, alias.col_offset, alias.name, roots.module)
        elif isinstance(node, ast.ImportFrom) and not node.level and roots.is_ours(node.module or ""):
            start = _column(lines[node.lineno - 1], node.col_offset)
            gap = re.compile(r"from\s+").match(lines[node.lineno - 1], start)
            assert gap is not None  # the grammar says so
            module = node.module or ""
            yield _Edit(node.lineno, gap.end(), module, roots.module(module))


def _of_names(tree: ast.AST, lines: list[str], bound: frozenset[str], roots: Roots) -> Iterator[_Edit]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in bound:
            yield _edit(lines, node.lineno, node.col_offset, node.id, roots.module)


def _of_module_arguments(tree: ast.AST, lines: list[str], roots: Roots) -> Iterator[_Edit]:
    for argument, name in _module_arguments(tree, roots):
        line = lines[argument.lineno - 1]
        start = _column(line, argument.col_offset)
        quote = line[start]
        yield _Edit(argument.lineno, start, f"{quote}{name}{quote}", f"{quote}{roots.module(name)}{quote}")


def _module_arguments(tree: ast.AST, roots: Roots) -> Iterator[tuple[ast.Constant, str]]:
    """Yield the strings that are a bare root and stand where a function takes the name of a module."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        name = node.args[0].value
        if called in TAKES_A_MODULE and isinstance(name, str) and name in roots.renamed:
            yield node.args[0], name


def _of_texts(source: str, roots: Roots) -> Iterator[_Edit]:
    """Yield what changes in strings and comments, a line of a token at a time."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in _TEXT_TOKENS:
            for number, old in enumerate(token.string.splitlines(keepends=True)):
                new = roots.text(old)
                if new != old:
                    yield _Edit(token.start[0] + number, 0 if number else token.start[1], old, new)


def _edit(lines: list[str], line: int, offset: int, old: str, renamed: Callable[[str], str]) -> _Edit:
    return _Edit(line, _column(lines[line - 1], offset), old, renamed(old))


def _column(line: str, offset: int) -> int:
    """Return the parser's offset, which counts bytes, in characters."""
    return len(line.encode()[:offset].decode())


class _Renamed(ast.NodeTransformer):
    """The same renaming on the tree: what `rewrite` wrote is compared with it. arguments: ids of strings."""

    def __init__(self, bound: frozenset[str], arguments: set[int], roots: Roots) -> None:
        self._bound = bound
        self._arguments = arguments
        self._roots = roots

    def visit_Import(self, node: ast.Import) -> ast.AST:  # ast's own name
        for alias in node.names:
            alias.name = self._roots.module(alias.name)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:  # ast's own name
        if not node.level and node.module:
            node.module = self._roots.module(node.module)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:  # ast's own name
        return ast.parse(self._roots.module(node.id), mode="eval").body if node.id in self._bound else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:  # ast's own name
        if isinstance(node.value, str):
            is_module = id(node) in self._arguments
            node.value = self._roots.module(node.value) if is_module else self._roots.text(node.value)
        return node


def _prove(source: str, written: str, file: str, bound: frozenset[str], roots: Roots) -> None:
    """Raise CannotRewrite unless the new source is the old tree, renamed."""
    tree = ast.parse(source)  # parsed again: it is renamed in place
    arguments = {id(node) for node, _name in _module_arguments(tree, roots)}
    wanted = _Renamed(bound, arguments, roots).visit(tree)
    if ast.dump(wanted) != ast.dump(ast.parse(written)):
        raise CannotRewrite(f"{file}: its text and its tree are renamed differently; write module names in one piece")
