"""Questions: their truth by a second road, their examples, sizes, factors and ids."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.core.items import Item
from misstep.families.planbench import solving
from misstep.families.planbench.cases import examples_of
from misstep.families.planbench.generate import generate
from misstep.families.planbench.generate.ahead import in_order
from misstep.families.planbench.generate.packing import length_bin
from misstep.families.planbench.programs import PROGRAMS, follow
from misstep.families.planbench.spec import DOMAINS, TESTS, PlanbenchPayload
from misstep.families.planbench.texts import problem_of, steps_of
from misstep.planning.model import Problem
from misstep.planning.planners.answers import Outcome as Proof
from misstep.planning.planners.fast_downward import OPTIMAL, find_fast_downward
from misstep.planning.planners.problems import solve_problems
from misstep.planning.planners.solving import Solving
from misstep.planning.running import Verdict
from misstep.planning.validation import validate

Made = Callable[..., tuple[Item[PlanbenchPayload], ...]]


def asked(item: Item[PlanbenchPayload]) -> Problem:
    return problem_of(item.payload.domain, item.payload.problem)


def plain_run(facts: set[str], step: str, domain: str) -> set[str] | None:
    """Blocksworld by hand: the facts after a step, None where it can't be done."""
    name, *blocks = step.strip("()").split()
    one, two = (*blocks, "")[:2]
    needs, lost, gained = {
        "pick-up": (
            {f"(ontable {one})", f"(clear {one})", "(handempty)"},
            {f"(ontable {one})", f"(clear {one})", "(handempty)"},
            {f"(holding {one})"},
        ),
        "put-down": (
            {f"(holding {one})"},
            {f"(holding {one})"},
            {f"(ontable {one})", f"(clear {one})", "(handempty)"},
        ),
        "stack": (
            {f"(holding {one})", f"(clear {two})"},
            {f"(holding {one})", f"(clear {two})"},
            {f"(on {one} {two})", f"(clear {one})", "(handempty)"},
        ),
        "unstack": (
            {f"(on {one} {two})", f"(clear {one})", "(handempty)"},
            {f"(on {one} {two})", f"(clear {one})", "(handempty)"},
            {f"(holding {one})", f"(clear {two})"},
        ),
    }[name]
    return facts - lost | gained if needs <= facts else None


def test_states_and_verdicts_are_those_of_a_simulator_written_by_hand(make: Made) -> None:
    for item in make(25, test="plan-execution"):
        facts: set[str] | None = {atom.text for atom in asked(item).init}
        for step in item.payload.shown:
            assert facts is not None
            facts = plain_run(facts, step, item.payload.domain)
        assert facts == set(item.payload.answer)
    for item in make(25, test="plan-verification"):
        verdict, number, *_ = item.payload.answer
        facts = {atom.text for atom in asked(item).init}
        failed = ""
        for place, step in enumerate(item.payload.shown, 1):
            after = plain_run(facts, step, item.payload.domain)
            if after is None:
                failed = str(place)
                break
            facts = after
        assert failed == number
        assert (verdict == "precondition_failed") is bool(failed)


@pytest.mark.parametrize("domain", DOMAINS)
def test_optimal_costs_and_unsolvability_are_what_fast_downward_proves(
    make: Made, domain: str
) -> None:
    how = Solving(find_fast_downward(), OPTIMAL)
    best = make(3, test="optimal-planning", domain=domain)
    answers = solve_problems([asked(item) for item in best], how)
    assert [answer.cost for answer in answers] == [item.payload.optimum for item in best]
    some = make(4, test="unsolvable", domain=domain)
    answers = solve_problems([asked(item) for item in some], how)
    for item, answer in zip(some, answers, strict=True):
        is_hopeless = item.payload.answer == ("no_plan",)
        assert answer.outcome is (Proof.UNSOLVABLE if is_hopeless else Proof.SOLVED)


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_program_solves_what_its_domain_generates_at_every_size(make: Made, domain: str) -> None:
    for size in ("3", "6", "9"):
        for item in make(3, test="plan-generalization", domain=domain, size=size):
            assert validate(asked(item), follow(domain, asked(item))).is_valid
            assert domain in PROGRAMS


def test_the_generalization_question_is_larger_than_its_examples(make: Made) -> None:
    for item in make(6, test="plan-generalization", examples=2, size="3-6"):
        sizes = [
            len(problem_of(item.payload.domain, case.problem).objects)
            for case in examples_of(item.payload)
        ]
        assert sizes == [3, 3]
        assert 3 < len(asked(item).objects) <= 6


@pytest.mark.parametrize("test", TESTS)
def test_every_example_answer_is_right_and_its_instance_is_not_the_question(
    make: Made, test: str
) -> None:
    for item in make(4, test=test, examples=2):
        payload = item.payload
        cases = examples_of(payload)
        assert len(cases) == (6 if test == "plan-verification" else 2)
        for case in cases:
            problem = problem_of(payload.domain, case.problem)
            if test not in ("plan-verification", "plan-execution") and case.answer != ("no_plan",):
                assert validate(problem, steps_of(case.answer)).is_valid
            before = case.before or case.problem
            assert before != (payload.before or payload.problem)


def test_verification_shows_one_example_of_each_class_and_draws_the_question(make: Made) -> None:
    items = make(40, test="plan-verification")
    for item in items:
        shown = [case.answer[0] for case in examples_of(item.payload)]
        assert sorted(shown) == ["goal_not_reached", "precondition_failed", "valid"]
        found = validate(asked(item), steps_of(item.payload.shown))
        assert found.verdict == item.payload.answer[0]
    kinds = [item.factors["kind"] for item in items]
    for verdict in (Verdict.VALID, Verdict.PRECONDITION_FAILED, Verdict.GOAL_NOT_REACHED):
        assert kinds.count(verdict.value) >= 5


def test_questions_are_the_same_for_both_wordings_in_disguise_and_with_other_examples(
    make: Made,
) -> None:
    plain = make(5, test="replanning")
    for options in ({"wording": "pddl"}, {"examples": 0}, {"examples": 3}):
        other = make(5, test="replanning", **options)
        assert [item.payload.problem for item in other] == [item.payload.problem for item in plain]
        assert not {item.id for item in other} & {item.id for item in plain}
    hidden = make(5, test="replanning", domain="blocksworld+random")
    assert [len(item.payload.answer) for item in hidden] == [
        len(item.payload.answer) for item in plain
    ]


def test_no_examples_are_shown_where_none_are_asked_for(make: Made) -> None:
    for test in TESTS:
        (item,) = make(1, test=test, examples=0)
        assert item.payload.examples == ()


def test_large_worlds_get_long_plans_without_a_search(make: Made) -> None:
    (item,) = make(1, size="40")
    assert validate(asked(item), steps_of(item.payload.answer)).is_valid
    assert item.factors["is_shortest"] is False
    assert item.factors["length_bin"] in ("51-100", "101+")


def test_a_small_world_ends_instead_of_repeating_itself() -> None:
    groups = list(generate(0, {"size": "2"}))
    problems = [item.payload.problem for (item,) in groups]
    assert 1 < len(problems) == len(set(problems)) < 20


@pytest.mark.parametrize(
    ("length", "name"),
    [(1, "1-10"), (10, "1-10"), (11, "11-20"), (50, "21-50"), (100, "51-100"), (101, "101+")],
)
def test_length_bins_are_those_of_the_report(length: int, name: str) -> None:
    assert length_bin(length) == name


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"domain": "nowhere"}, "-T domain"),
        ({"domain": "ferry+upside-down"}, "-T domain"),
        ({"size": "many"}, "-T size"),
        ({"size": "5-4"}, "-T size"),
        ({"size": "0"}, "-T domain"),
        ({"examples": -1}, "-T examples"),
        ({"question": "changes"}, "-T question"),
        ({"test": "telepathy"}, "-T test"),
    ],
)
def test_bad_options_are_refused_in_one_line(options: dict[str, str | int], said: str) -> None:
    with pytest.raises(BadInput, match=said) as told:
        next(generate(0, options))
    assert "\n" not in str(told.value)


def test_a_folder_of_ones_own_is_a_domain_for_every_test(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(OWN, encoding="utf-8")
    for number, goal in enumerate(GOALS):
        text = f"(define (problem p{number}) (:domain lights) (:objects a b c d)"
        text += f" (:init (on a)) (:goal (and {goal})))"
        (tmp_path / f"problem{number}.pddl").write_text(text, encoding="utf-8")
    for test in TESTS:
        options: dict[str, str | int | bool] = {
            "domain": str(tmp_path),
            "test": test,
            "examples": 0,
        }
        for (item,) in generate(0, options):
            assert item.factors["domain"] == tmp_path.name
            break
        else:
            pytest.fail(f"{test} made nothing")


OWN = """(define (domain lights) (:predicates (on ?x) (off ?x))
 (:action switch-on :parameters (?x) :precondition (not (on ?x))
  :effect (and (on ?x) (not (off ?x))))
 (:action switch-off :parameters (?x) :precondition (on ?x)
  :effect (and (not (on ?x)) (off ?x))))"""
GOALS = ("(on b) (on c)", "(on b) (on d) (off a)", "(on c) (on d)", "(off a) (on d) (on b) (on c)")


def test_what_is_made_ahead_comes_in_order_and_only_as_far_as_needed() -> None:
    made: list[int] = []

    def make(number: int) -> int:
        made.append(number)
        return number * number

    for workers in (1, 3):
        made.clear()
        rows = in_order(make, workers)
        assert [next(rows) for _ in range(4)] == [(0, 0), (1, 1), (2, 4), (3, 9)]
        rows.close()  # type: ignore[attr-defined]  # a generator
        assert max(made) <= 3 + workers


def test_proofs_are_kept_in_the_cache_and_give_the_same_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "FEW_STATES", 5)
    options: dict[str, str | int | bool] = {"test": "optimal-planning", "size": "3"}
    (plain,) = next(generate(0, options))
    for _ in range(2):
        (kept,) = next(generate(0, {**options, "cache": str(tmp_path)}))
        assert kept == plain
    assert list(tmp_path.rglob("*"))
