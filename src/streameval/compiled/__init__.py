"""What compiled code stands on: compilation, its cache, bits, lanes, memory, draws (floor 0)."""
