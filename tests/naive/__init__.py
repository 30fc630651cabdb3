"""The slow, literal twins of what is compiled or vectorised."""
