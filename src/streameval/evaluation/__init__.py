"""What results, commands, and tables and figures stand on: learners run, measured and compared."""
