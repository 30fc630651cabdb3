"""Labels that are pending: how long they take, and what accuracy means meanwhile."""
