"""Running, measuring and comparing learners, for the API, the commands and the items."""
