"""How tables are laid out for people, a module for each kind of table."""
