"""What several tests share: strategies, drawings read back, copies of the project."""
