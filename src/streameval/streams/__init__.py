"""Streams: reading, fetching, generating and rearranging them (floor 1)."""
