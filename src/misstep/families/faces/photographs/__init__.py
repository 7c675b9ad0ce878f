"""Faces from a folder of photographs, a sub-folder for each person; nothing leaves this machine."""
