"""What a table refuses, said with what to do."""

from engine.errors import DomainError


class TableError(DomainError):
    """A table's rule or state forbids it. `code` is stable ("table.changed"), the message may change."""

    code = "table.error"
