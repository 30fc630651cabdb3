"""How good learners are over a stream: curves, estimates and tables of measures."""
