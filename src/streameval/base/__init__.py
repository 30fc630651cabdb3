"""What all else stands on: errors, files, settings, seeds, memory, declared parameters, arrays."""
