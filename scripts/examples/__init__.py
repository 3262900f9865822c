"""Looking for the games in which a rule shows: what each topic must show, and the search (make_examples.py)."""
