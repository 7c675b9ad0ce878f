"""What people answered, kept in a database."""
