"""Reading files: one module per format, and `table` with the rule for values of all formats."""
