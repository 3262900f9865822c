"""The replay of a finished match: pure, over the record document alone. No rules here: effects carry everything."""
