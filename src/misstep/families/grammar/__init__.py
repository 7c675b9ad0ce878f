"""Artificial grammar: implicit statistical learning (Mind Your Step, §4.1)."""

from misstep.core.family import Family
from misstep.families.grammar.generate import generate
from misstep.families.grammar.prompts import ballot, beginnings, parts, prompt, thought
from misstep.families.grammar.score import score
from misstep.families.grammar.solvers import REFERENCES
from misstep.families.grammar.spec import SPEC, GrammarPayload

FAMILY: Family[GrammarPayload] = Family(
    spec=SPEC,
    payload=GrammarPayload,
    generate=generate,
    prompt=prompt,
    score=score,
    solvers={name: reference.solve for name, reference in REFERENCES.items()},
    solver_about={name: reference.about for name, reference in REFERENCES.items()},
    beginnings=beginnings,
    thought=thought,
    ballot=ballot,
    parts=parts,
)

__all__ = ["FAMILY"]
