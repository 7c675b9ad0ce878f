"""Plans and problems in words and back: wording files, phrases, introductions, costs."""

from misstep.planning.wording.errors import UnreadError, WordingError
from misstep.planning.wording.loading import read_wording
from misstep.planning.wording.nouns import (
    ActionWording,
    FactWording,
    Kind,
    NameRule,
    Wording,
)
from misstep.planning.wording.pddl import pddl_wording
from misstep.planning.wording.phrasebook import Phrasebook, phrasebook
from misstep.planning.wording.rules import introduction, say_amount, say_costs, say_rules
from misstep.planning.wording.saying import (
    say_action,
    say_fact,
    say_goal,
    say_object,
    say_objects,
    say_plan,
    say_problem,
    say_state,
    told,
)
from misstep.planning.wording.templates import Template, normalised
from misstep.planning.wording.understanding import (
    read_action,
    read_fact,
    read_facts,
    read_object,
    readings_of_action,
    readings_of_fact,
)
from misstep.planning.wording.writing import write_wording

__all__ = [
    "ActionWording",
    "FactWording",
    "Kind",
    "NameRule",
    "Phrasebook",
    "Template",
    "UnreadError",
    "Wording",
    "WordingError",
    "introduction",
    "normalised",
    "pddl_wording",
    "phrasebook",
    "read_action",
    "read_fact",
    "read_facts",
    "read_object",
    "read_wording",
    "readings_of_action",
    "readings_of_fact",
    "say_action",
    "say_amount",
    "say_costs",
    "say_fact",
    "say_goal",
    "say_object",
    "say_objects",
    "say_plan",
    "say_problem",
    "say_rules",
    "say_state",
    "told",
    "write_wording",
]
