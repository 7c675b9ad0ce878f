"""The answer on a task of the user's own: sentences, terminal, and the page's part."""
