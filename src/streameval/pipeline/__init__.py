"""The plan of a run, its checks, jobs and records, for Snakemake."""
