"""People to be seen: a library that ships, painted when it is loaded, and packs of others."""
