"""How the gate looks at pictures that are files."""
