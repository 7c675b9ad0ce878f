"""Tasks of the user's own: found, built from files, scored, and asked in every arm."""
