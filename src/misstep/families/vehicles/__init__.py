"""Vehicles: learning a pattern that has exceptions, in a conversation (Mind Your Step, §4.3)."""

from misstep.core.family import Family
from misstep.families.vehicles.conversation import CONVERSATION
from misstep.families.vehicles.generate import generate
from misstep.families.vehicles.prompts import prompt
from misstep.families.vehicles.score import score
from misstep.families.vehicles.settings import balance
from misstep.families.vehicles.solvers import REFERENCES, solver
from misstep.families.vehicles.spec import SPEC, VehiclesPayload

FAMILY: Family[VehiclesPayload] = Family(
    spec=SPEC,
    payload=VehiclesPayload,
    generate=generate,
    prompt=prompt,
    score=score,
    solvers={name: solver(name) for name in REFERENCES},
    solver_about={name: reference.about for name, reference in REFERENCES.items()},
    conversation=CONVERSATION,
    balance=balance,
)

__all__ = ["FAMILY"]
