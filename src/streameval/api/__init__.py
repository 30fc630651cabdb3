"""What the package's name gives to notebooks and scripts; the command is a thin layer over it."""
