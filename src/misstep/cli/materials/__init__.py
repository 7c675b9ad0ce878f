"""Items, and what they are made of: shown, made, bought, imported, looked through."""
