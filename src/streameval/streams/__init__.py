"""Streams: reading, downloading, generating and rearranging them."""
