"""Reading files: `reading` says which stations a file passes, and `values` what a value is."""
