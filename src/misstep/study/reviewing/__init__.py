"""One person reviews a set of faces."""
