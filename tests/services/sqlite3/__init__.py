"""Django's SQLite, whose tables a test may empty although the database keeps their rows."""
