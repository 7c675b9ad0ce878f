"""The head and shoulders: shapes, people, pose, skin, eyes and clothes."""
