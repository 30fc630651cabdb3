"""Raw files: found in a folder or a mirror, or downloaded from their hosts."""
