"""Streams: reading, downloading, generating and rearranging them (floor 1)."""
