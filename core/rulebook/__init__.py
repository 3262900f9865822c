"""The rules as positions that play: for every rule a deal in which it shows (site.md section 8, no. 19)."""
