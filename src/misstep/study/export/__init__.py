"""What people answered, as records, as jsPsych's rows, and as a Psych-DS folder."""
