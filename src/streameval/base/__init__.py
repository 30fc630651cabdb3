"""What all else stands on: declared parameters, plain data checked against types, array types."""
