"""Templates and static files of the pages (data only)."""
