"""The papers' tables: their figures as data, checked, and with a user's own runs beside them."""
