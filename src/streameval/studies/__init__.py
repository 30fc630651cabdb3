"""Studies: the papers' tables and the data of their figures, as tidy frames (floor 3)."""
