"""The figures of a page: drawn, numbered, and as files of their own."""
