"""What Snakemake reads and calls: the plan, its checks, jobs and runs (floor 6)."""
