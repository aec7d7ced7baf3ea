"""Files to values: recordings, maps, suite files, and where they are found."""
