"""Files of the user's own: rows → questions."""
