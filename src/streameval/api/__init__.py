"""The public functions for notebooks and scripts; the command is a thin layer over them."""
