"""Portraits: the same bytes in two processes with any number of threads, and what varies what."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from misstep.families.faces import sets
from misstep.families.faces.generate import SHIPPED

pytest.importorskip("numba")
pytest.importorskip("dlib")

from misstep.families.faces.portraits.body import people
from misstep.families.faces.portraits.body.assets import head
from misstep.families.faces.portraits.looks import Person
from misstep.families.faces.portraits.mesh import normals, subdivided

DRAW = """
import json, sys
import numpy as np
from misstep.families.faces.attributes import allowed, read_rules
from misstep.families.faces.drawing import encoded
from misstep.families.faces.plan import person_seed, plan
from misstep.families.faces.portraits.body.people import person
from misstep.families.faces.portraits.render import portrait
number, who, draw = json.loads(sys.argv[1])
made = plan(0, number, 0, allowed(read_rules()))
chance = np.random.Generator(np.random.PCG64(person_seed(made, who, draw)))
picture = portrait(person(made.style, chance), made.style, made.reference, 512)
sys.stdout.buffer.write(encoded(picture))
"""


def drawn_again(threads: int) -> bytes:
    """The first reference with short hair, drawn by a process of its own."""
    one = next(one for one in sets.read_problems(SHIPPED) if _is_short(one))
    about = one.reference.about
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
    return subprocess.run(
        [sys.executable, "-c", DRAW, json.dumps([one.number, about["person"], about["draw"]])],
        env={**os.environ, **dict.fromkeys(names, str(threads))},
        check=True,
        capture_output=True,
    ).stdout


def _is_short(one: sets.Problem) -> bool:
    return one.attributes is not None and one.attributes.hair_length == "short"


def test_a_picture_has_the_same_bytes_in_two_processes_with_one_thread_or_two() -> None:
    one, other = drawn_again(threads=1), drawn_again(threads=2)
    assert one == other
    shipped = next(one for one in sets.read_problems(SHIPPED) if _is_short(one)).reference
    kept = sets.picture(SHIPPED, shipped.file, shipped.sha256)
    # Another processor may round otherwise; the picture is the same to the eye.
    assert np.abs(_pixels(one) - _pixels(kept)).mean() < 2


def _pixels(content: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(content)), dtype=float)


def test_subdividing_a_cube_comes_near_the_ball_within_it() -> None:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    quads = np.array(
        [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    )
    ball = subdivided(8, quads, 3)
    points = ball.of(corners)
    radius = np.sqrt((points**2).sum(1))
    assert len(ball.faces) == 6 * 4**3
    assert radius.max() / radius.min() < 1.1
    assert ((normals(points, ball.faces) * points).sum(1) / radius).min() > 0.98


def test_every_shape_that_people_are_made_of_is_in_the_assets() -> None:
    model = head()
    assert len(model.pairs) > 90
    assert all(low in model.targets and high in model.targets for low, high in model.pairs.values())
    assert model.masks.lips.shape == (len(model.rest),)


@pytest.fixture
def crowd() -> list[Person]:
    from misstep.families.faces.attributes import allowed, read_rules
    from misstep.families.faces.plan import plan

    style = plan(0, 0, 0, allowed(read_rules())).style
    return [people.person(style, np.random.default_rng(seed)) for seed in range(12)]


def test_people_of_one_problem_differ_in_form_and_the_same_chance_gives_the_same_person(
    crowd: list[Person],
) -> None:
    apart = [people.distance(crowd[0], other) for other in crowd]
    assert apart[0] == 0
    assert min(apart[1:]) > 1.0
    assert max(apart[1:]) < 15.0


def test_the_distance_of_two_forms_is_symmetric_and_adds_up(crowd: list[Person]) -> None:
    a, b, c = crowd[:3]
    assert people.distance(a, b) == pytest.approx(people.distance(b, a))
    assert people.distance(a, c) <= people.distance(a, b) + people.distance(b, c) + 1e-9
