"""How a reply is graded, by kind of answer: plans, verdicts, facts."""
