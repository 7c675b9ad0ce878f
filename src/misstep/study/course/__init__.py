"""A study: its file, who meets what, and a person's way through it; pure, no web, no store."""
