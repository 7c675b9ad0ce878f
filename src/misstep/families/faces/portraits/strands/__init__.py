"""Hair, brows and lashes, strand by strand."""
