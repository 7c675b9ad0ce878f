"""What people do in a browser; the only room that knows a web framework."""
