"""Static files with names that change with their content, style sheets without what only their readers need."""

from collections.abc import Iterator
from typing import Any, Final

import rcssmin
from django.conf import settings
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

OUR_MODULES: Final = ("site/*.js", "table/*.js", "verify/*.js")
OUR_SHEETS: Final = ("site/", "table/", "verify/")


def minified(sheet: str) -> str:
    """Return a style sheet without comments and needless space: a sixth less, with the same rules."""
    return str(rcssmin.cssmin(sheet))


def _import_patterns() -> Any:
    """Return Django's own patterns for `import ... from "./deck.js"`, which it offers for every *.js or for none."""
    return CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise is untyped
    """Hashed and compressed files; an import inside one of our own modules is rewritten to the hashed name as well.

    Only ours: third-party files carry examples in comments that name files nobody has.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *((folder, _import_patterns()) for folder in OUR_MODULES),
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._addresses: dict[str, str] = {}

    def url(self, name: str, force: bool = False) -> str:
        """Return the address of a file. It is kept: a page asks for twenty, and Django makes each from its parts."""
        if settings.DEBUG or force:
            return str(super().url(name, force))
        if name not in self._addresses:
            self._addresses[name] = str(super().url(name))
        return self._addresses[name]

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Minify our own sheets where they were collected, so that their hash is the one of what is served."""
        sheets = [] if dry_run else [name for name in paths if name.startswith(OUR_SHEETS) and name.endswith(".css")]
        for name in sheets:
            self._minify(name)
        here = {name: (self, name) for name in sheets}
        yield from super().post_process({**paths, **here}, dry_run, **options)
        self._addresses.clear()

    def _minify(self, name: str) -> None:
        with self.open(name) as collected:
            sheet = minified(collected.read().decode())
        self.delete(name)
        self.save(name, ContentFile(sheet.encode()))
