"""The default study of each family, cut to what a browser is through with in seconds."""

from __future__ import annotations

from pathlib import Path

from misstep.study.course.file import read_study
from misstep.study.course.nouns import Study

BLOCKS = {
    "grammar": "items = 2\npool = 44\ntiming = {deliberate = 200, memorise = 300}",
    "faces": "items = 2\npractice = 0\ntiming = {deliberate = 200, memorise = 200}",
    "vehicles": 'arms = ["explain"]\ntiming = {deliberate = 100}',
    "inconsistency": "items = 2\npractice = 1\ntiming = {deliberate = 200}",
    "cups": "items = 2\npractice = 1\npool = 10\ntiming = {deliberate = 200}",
    "apartments": 'items = 1\narms = ["distract"]\npool = 10\n'
    "timing = {each = 50}\noptions = {letters = 5}",
    "planbench": "timing = {memorise = 300}",
}


def small_study(folder: Path, name: str) -> Study:
    path = folder / f"{name}.toml"
    head = f'schema = 1\ntitle = "A study of {name}"\npeople = 3\ntries = 1\n'
    path.write_text(f'{head}[[block]]\nfamily = "{name}"\n{BLOCKS[name]}\n', encoding="utf-8")
    return read_study(path)
