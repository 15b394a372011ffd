"""Hyde: a cooperative card game for 2 to 4 seats with hidden hands. Rulings are in RULES.md."""
