"""The page: one HTML file, and the report in its other forms."""
