"""Static files with names that change with their content."""

from typing import Any, Final

from whitenoise.storage import CompressedManifestStaticFilesStorage

OUR_MODULES: Final = ("site/*.js", "table/*.js", "verify/*.js")


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
