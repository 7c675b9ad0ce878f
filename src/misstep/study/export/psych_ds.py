"""A study as a Psych-DS folder: data files by participant, their codebook, and what people saw.

The rules are those of the published Psych-DS schema: dataset_description.json in JSON-LD of
schema.org with every column under variableMeasured, and data files named by keywords.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from misstep.analyse.record_files import csv_by_person
from misstep.core.errors import BadInput
from misstep.registry import family
from misstep.study.course.nouns import Study
from misstep.study.export.codebook import Variable, variable
from misstep.study.export.parts import Part

RAW = "data/raw"
"""Where rows of jsPsych's may be put; the validator is told to leave it alone."""
_IGNORE = ".psychds-ignore"
_IGNORED = f"**/{RAW}/\n{_IGNORE}\n"
"""To the validator paths begin with a slash, and so a pattern with one inside needs **/ before."""
_LONGEST_NAME = 40
_MADE_BY = f"misstep {version('misstep')}"


def write(study: Study, found: Sequence[Part], folder: Path) -> int:
    """How many data files, one for each person with a trial that is over.

    The folder is made, and is not there where making it fails; BadInput where it is there already.
    """
    columns, tables = csv_by_person([record for one in found for record in one.records])
    families = tuple(dict.fromkeys(block.family for block in study.blocks))
    variables = [variable(name, families) for name in columns]
    texts = {
        "dataset_description.json": _json(_description(study, found, variables)),
        "README.md": _readme(study, families),
        "CHANGES.md": f"# Changes\n\n- Written from the study's database by {_MADE_BY}.\n",
        _IGNORE: _IGNORED,
        "documentation/codebook.md": _codebook(variables),
        **_materials(study),
        **{_name(study, who): table for who, table in tables.items()},
    }
    _write(folder, texts)
    return len(tables)


def _write(folder: Path, texts: dict[str, str]) -> None:
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise BadInput(f"--psych-ds: {folder}: {error.strerror or error}") from None
    try:
        for name, text in texts.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise BadInput(f"--psych-ds: {folder}: {error.strerror or error}") from None


def _name(study: Study, who: str) -> str:
    """Keywords have letters and digits alone: data/study-RulesInLetters_subject-k7m2_data.csv."""
    words = re.findall(r"[A-Za-z0-9]+", study.title)
    title = "".join(word[:1].upper() + word[1:] for word in words)[:_LONGEST_NAME] or study.digest
    subject = re.sub(r"[^A-Za-z0-9]", "", who.rpartition("/")[2])
    return f"data/study-{title}_subject-{subject}_data.csv"


def _description(
    study: Study, found: Sequence[Part], variables: Sequence[Variable]
) -> dict[str, object]:
    people = sum(bool(one.records) for one in found)
    families = ", ".join(dict.fromkeys(block.family for block in study.blocks))
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.title,
        "description": (
            f"Answers of {people} people to items of {families}, one row for each trial. "
            "The columns are those of misstep's records, so that models and people share one table."
        ),
        "identifier": study.digest,
        "inLanguage": study.texts.language,
        "keywords": ["psychology", "deliberation", *dict.fromkeys(b.family for b in study.blocks)],
        "variableMeasured": [_measured(one) for one in variables],
    }


def _measured(one: Variable) -> dict[str, str]:
    said = {"@type": "PropertyValue", "name": one.name, "description": one.holds}
    return said | ({"unitText": one.unit} if one.unit else {})


def _readme(study: Study, families: Sequence[str]) -> str:
    told = "\n".join(f"- {name}: {family(name).spec.title}. {_source(name)}" for name in families)
    return f"""# {study.title}

Answers of people, one file for each participant in `data/`, one row for each trial that is over.
The columns `who`, `item`, `arm` and `repetition` together name a row. What each column holds stands
in `dataset_description.json` (`variableMeasured`) and in `documentation/codebook.md`.

{told}

`materials/` holds the study as it was (`study.json`, digest {study.digest}) and the texts that
people read; the digest of the consent text is {study.consent_digest}. Items, and the truth about
them, are made again from the study's seed by {_MADE_BY}.

Participants are named by ids drawn at random. Nothing here names anybody, and ids of a recruiting
service are not in it. Before publishing, add author, licence and citation to
`dataset_description.json`.
"""


def _source(name: str) -> str:
    return f"{family(name).spec.source}."


def _codebook(variables: Sequence[Variable]) -> str:
    rows = (f"| `{one.name}` | {one.unit} | {one.holds.replace('|', '/')} |" for one in variables)
    head = "| column | unit | holds |\n|---|---|---|"
    return "\n".join(["# Codebook", "", head, *rows]) + "\n"


def _materials(study: Study) -> dict[str, str]:
    """The texts that people read, and the study itself without the codes that pay them."""
    plain = asdict(study)
    links = {name: value for name, value in plain["links"].items() if name != "codes"}
    texts = study.texts
    return {
        "materials/study.json": _json(plain | {"links": links}),
        "materials/consent.md": texts.consent,
        "materials/welcome.md": texts.welcome,
        "materials/debriefing.md": texts.debriefing,
    }


def _json(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False, indent=2) + "\n"
