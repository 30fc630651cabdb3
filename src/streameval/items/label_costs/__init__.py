"""Labels that cost: how accurate learners are by the labels that they learn."""
