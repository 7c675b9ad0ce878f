"""Tables, figures and pages from comparisons."""
