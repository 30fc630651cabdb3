"""Reading files: one module per format, and the rule that they share."""
