"""What workers and folds do: claim, play, record, derive. See README.md of the app."""
