"""Faces bought from an image service as in appendix B.1; the only part of the room with a network.

No picture is asked for twice: what was bought is kept by its request (`purchases`).
"""
