"""Raw files, from a folder, a mirror or their hosts."""
