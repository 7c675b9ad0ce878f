"""Replies in a batch are read by a shipped domain's words, or a disguise's, where it is known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from misstep.planning import PlanningError, read_domain, write_domain, write_problem
from misstep.planning.folders import draw_problem, shipped, shipped_names
from misstep.planning.generators import SeededChance
from misstep.planning.grounding import ground
from misstep.planning.model import Domain, Problem
from misstep.planning.obfuscation import Disguise, obfuscate, problem_renaming
from misstep.planning.reading import read_lines
from misstep.planning.recognising import known_wording
from misstep.planning.renaming import rename_problem
from misstep.planning.wording import Wording, phrasebook, read_wording, say_action


def said(problem: Problem, wording: Wording) -> tuple[str, list[str]]:
    """A case whose reply says twelve steps in these words; and the steps."""
    operators = ground(problem).operators[:: max(1, len(ground(problem).operators) // 12)]
    book = phrasebook(problem, wording)
    words = [say_action(book, operator.step) for operator in operators]
    fields = {
        "domain_pddl": write_domain(problem.domain),
        "problem_pddl": write_problem(problem),
        "response": "My plan:\n" + "\n".join(f"{n}. {line}" for n, line in enumerate(words, 1)),
    }
    return json.dumps(fields), [f"({' '.join(operator.step)})" for operator in operators]


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_domains_words_are_read_in_a_batch(name: str, tmp_path: Path) -> None:
    folder = shipped(name)
    line, plan = said(draw_problem(folder, SeededChance(3)), folder.wording)
    (row,) = read_lines([line], tmp_path)
    assert row["plan"] == plan


@pytest.mark.parametrize("style", list(Disguise))
@pytest.mark.parametrize("name", shipped_names())
def test_a_disguises_words_are_read_in_a_batch(name: str, style: Disguise, tmp_path: Path) -> None:
    folder = shipped(name)
    hidden = obfuscate(folder.domain, style, SeededChance(4))
    plain = draw_problem(folder, SeededChance(5))
    renaming = problem_renaming(hidden, plain, SeededChance(6))
    line, plan = said(rename_problem(renaming, plain, hidden.domain), hidden.wording)
    (row,) = read_lines([line], tmp_path)
    assert row["plan"] == plan
    assert known_wording(hidden.domain) == hidden.wording


def test_a_domain_is_known_whatever_its_own_name_and_order() -> None:
    ferry = shipped("ferry")
    turned = replace(
        ferry.domain,
        name="boats",
        requirements=(),
        predicates=ferry.domain.predicates[::-1],
        actions=ferry.domain.actions[::-1],
    )
    assert known_wording(turned) == ferry.wording


def without_an_effect(domain: Domain) -> Domain:
    first, *others = domain.actions
    return replace(domain, actions=(replace(first, effects=first.effects[1:]), *others))


@pytest.mark.parametrize("name", shipped_names())
def test_a_domain_with_one_effect_less_is_another(name: str) -> None:
    assert known_wording(without_an_effect(shipped(name).domain)) is None
    hidden = obfuscate(shipped(name).domain, Disguise.DECEPTIVE, SeededChance(0)).domain
    assert known_wording(without_an_effect(hidden)) is None


def test_other_words_may_be_given_for_a_batch(tmp_path: Path) -> None:
    lamps = (
        "(define (domain lamps) (:predicates (lit ?lamp))"
        " (:action light :parameters (?lamp) :effect (lit ?lamp)))"
    )
    problem = "(define (problem p) (:domain lamps) (:objects l1) (:init) (:goal (lit l1)))"
    fields = {"domain_pddl": lamps, "problem_pddl": problem, "response": "1. set l1 aglow"}
    words = '[actions.light]\nsay = "set {lamp} aglow"'
    line = json.dumps(fields)
    (row,) = read_lines([line], tmp_path, wording_of=lambda domain: read_wording(words, domain))
    assert (row["outcome"], row["plan"]) == ("answered", ["(light l1)"])
    (row,) = read_lines([line], tmp_path)
    assert row["outcome"] == "unparsed"
    blocks = {**fields, "domain_pddl": write_domain(shipped("ferry").domain)}
    with pytest.raises(PlanningError, match=r"^cases.jsonl:1: w.toml: actions.light: the domain"):
        list(
            read_lines(
                [json.dumps(blocks)],
                tmp_path,
                "cases.jsonl",
                lambda domain: read_wording(words, domain, "w.toml"),
            )
        )


def test_faults_in_pddl_name_file_line_and_place(tmp_path: Path) -> None:
    read_domain(good := write_domain(shipped("ferry").domain))
    (tmp_path / "bad.pddl").write_text("(define (domain x)\n (:nonsense))")
    for domain, problem, place in (
        ("(define)", "", "domain_pddl:1:8: found ')'"),
        ("bad.pddl", "", f"{tmp_path / 'bad.pddl'}:2:3: unknown section"),
        (good, "(define\n(problem", "problem_pddl:2:1: '(' is never closed"),
    ):
        line = json.dumps({"domain_pddl": domain, "problem_pddl": problem, "response": ""})
        with pytest.raises(PlanningError) as caught:
            list(read_lines(["", line], tmp_path, "cases.jsonl"))
        assert str(caught.value).startswith(f"cases.jsonl:2: {place}")
        assert len(str(caught.value).splitlines()) == 1
