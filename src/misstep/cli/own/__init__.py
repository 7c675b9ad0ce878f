"""`misstep ab` and `misstep label`: a task of the user's own."""
