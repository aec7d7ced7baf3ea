"""Pictures, films and exports of records, episodes and maps."""
