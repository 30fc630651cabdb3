"""Studies: the papers' tables and the data of their figures, tidy (floor 3)."""
