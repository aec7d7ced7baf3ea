"""The data folder: what is known, fetched, imported and kept in it."""
