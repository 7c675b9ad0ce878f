"""Pictures as files: read with care, and looked at by the gate."""
