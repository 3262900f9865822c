"""Card art: the 48 cards drawn from code, original, cut-paper style (site.md section 3, Cards)."""
