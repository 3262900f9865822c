"""How static files get names that never change their content."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise is untyped
    """Hashed and compressed files; `import "./deck.js"` inside a module is rewritten to the hashed name as well."""

    support_js_module_import_aggregation = True
