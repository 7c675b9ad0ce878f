"""One person labels replies of a task of their own."""
