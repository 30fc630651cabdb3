"""What all else stands on: declared parameters."""
