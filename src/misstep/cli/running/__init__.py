"""`misstep run` and what belongs to a run: its process, its machines, its money, its parts."""
