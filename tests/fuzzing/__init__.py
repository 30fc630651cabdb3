"""Files and settings that nobody thought of: drawn, mangled, and read."""
