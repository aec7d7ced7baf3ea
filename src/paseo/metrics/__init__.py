"""Pure functions of records and tracks."""
