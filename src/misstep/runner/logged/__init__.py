"""Logs and what is read out of them: rows, records, pictures, scores given anew."""
