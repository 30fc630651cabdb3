"""What the order of labels tells: dependence, and what learners gain from it."""
