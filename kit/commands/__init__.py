"""The commands of `hanami`. See README.md."""
