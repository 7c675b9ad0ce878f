"""A samples file of lm-evaluation-harness (`--log_samples`), read line by line as scored samples.

A line holds `doc_id`, `doc`, `target`, `resps`, `filtered_resps`, `filter`, `metrics` (the names)
and each metric under its name; a doc has a line for each filter.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome
from misstep.runner.foreign.nouns import ForeignLog, Sample, Wanted, short_fields
from misstep.runner.foreign.scores import chosen, outcome_of, share_of

ENDING = ".jsonl"
NO_MATCH = "[invalid]"
"""What the harness's filters leave of a reply in which they found nothing."""

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[.\d]*)\.jsonl")
_OWN = frozenset(
    (
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
        "target_hash",
    )
)
_NONE = "none"
_DIGITS = 32
Line = Mapping[str, object]


@dataclass(frozen=True)
class _Where:
    file: Path
    number: int

    def __str__(self) -> str:
        return f"{self.file}: line {self.number}"


def read(file: Path, wanted: Wanted) -> ForeignLog:
    """BadInput names the line and the field.

    One pass, if the first line tells which score is meant; a second where later lines, of other
    filters, tell better.
    """
    guess = _guess(file, wanted.score)
    names, samples = _read_as(file, guess, wanted)
    score = _chosen(list(names), wanted.score, file)
    if score != guess:
        _, samples = _read_as(file, score, wanted)
    named = _NAME.fullmatch(file.name)
    results = _results(file, named["time"]) if named else {}
    return ForeignLog(
        file=file,
        task=named["task"] if named else None,
        model=_model(results) or (file.absolute().parent.name if named else None),
        settings=_settings(results, named["task"]) if named else {},
        score=score if len(_filters(names)) > 1 else score.rpartition(",")[0],
        samples=tuple(samples),
    )


def _guess(file: Path, wanted: str | None) -> str | None:
    """By the first line alone; None where that does not tell."""
    names = next((_scores(line) for _, line in _lines(file)), [])
    try:
        return _chosen(names, wanted, file)
    except BadInput:
        return None


def _read_as(
    file: Path, score: str | None, wanted: Wanted
) -> tuple[Mapping[str, None], list[Sample]]:
    """The names of all scores, and the samples of one of them (none without it)."""
    metric, _, kept = (score or "").rpartition(",")
    names: dict[str, None] = {}
    samples: dict[str, Sample] = {}
    for where, line in _lines(file):
        names |= dict.fromkeys(_scores(line))
        if score is None or _filter(line) != kept:
            continue
        sample = _sample(line, metric, wanted, where)
        if sample.id in samples:
            raise BadInput(f"{where}: doc_id {sample.id} comes twice, and no 'filter' tells why")
        samples[sample.id] = sample
    return names, list(samples.values())


def _lines(file: Path) -> Iterator[tuple[_Where, Line]]:
    with file.open(encoding="utf-8", errors="strict") as text:
        lines = enumerate(_decoded(text, file), 1)
        for number, line in lines:
            if line.strip():
                where = _Where(file, number)
                yield where, _line(line, where)


def _decoded(text: Iterator[str], file: Path) -> Iterator[str]:
    try:
        yield from text
    except UnicodeDecodeError:
        raise BadInput(f"{file}: is no text in UTF-8") from None


def _line(text: str, where: _Where) -> Line:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput(f"{where}: is no whole line of JSON: {text.strip()[-40:]!r}") from None
    if not isinstance(found, dict) or "doc_id" not in found:
        raise BadInput(f"{where}: has no field 'doc_id', as a sample of lm-evaluation-harness has")
    return found


def _scores(line: Line) -> list[str]:
    """As the harness prints them: "exact_match,strict-match"."""
    listed = line.get("metrics")
    names = listed if isinstance(listed, list) else [name for name in line if name not in _OWN]
    return [f"{name},{_filter(line)}" for name in names]


def _filter(line: Line) -> str:
    return str(line.get("filter", _NONE))


def _chosen(names: Sequence[str], wanted: str | None, file: Path) -> str:
    """The full name; where there is but one filter, the metric's own name will do for the user."""
    if len(_filters(names)) > 1 or wanted in names:
        return chosen(names, wanted, file)
    full = {name.rpartition(",")[0]: name for name in names}
    return full[chosen(full, wanted, file)]


def _filters(names: Iterable[str]) -> set[str]:
    return {name.rpartition(",")[2] for name in names}


def _sample(line: Line, metric: str, wanted: Wanted, where: _Where) -> Sample:
    doc = line.get("doc")
    value, reason = _value(line, metric, wanted, where)
    return Sample(
        id=str(line["doc_id"]),
        repetition=1,
        content=_content(line, where),
        target=_short(str(line.get("target"))),
        value=value,
        outcome=outcome_of(value, Outcome.UNPARSED),
        reason=reason,
        group=_group(doc, wanted.group, where),
        fields=short_fields(doc) if isinstance(doc, Mapping) else {},
    )


def _value(
    line: Line, metric: str, wanted: Wanted, where: _Where
) -> tuple[float | None, str | None]:
    try:
        value = share_of(line.get(metric), wanted.scale)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where}: {metric}: {error}") from None
    if value is None:
        return None, f"no {metric}"
    if value == 0 and line.get("filtered_resps") == [NO_MATCH]:
        return None, f"the filter found no answer ({NO_MATCH})"
    return value, None


def _content(line: Line, where: _Where) -> str:
    """Of the doc alone: prompts may differ in examples, which is a setting."""
    if line.get("doc") is None:
        raise BadInput(f"{where}: has no field 'doc'; write samples with their docs")
    return _digest(line["doc"])


def _group(doc: object, field: str | None, where: _Where) -> str | None:
    if field is None:
        return None
    value = doc.get(field) if isinstance(doc, Mapping) else None
    if value is None:
        known = ", ".join(sorted(doc)) if isinstance(doc, Mapping) else "none"
        raise BadInput(f"--group: {where}: the doc has no field {field!r}; known: {known}")
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _short(text: str) -> str:
    """A text that is no longer than its digest stands for itself."""
    return text if len(text) <= _DIGITS else _digest(text)


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _results(file: Path, time: str) -> Mapping[str, object]:
    """The aggregated results that the harness wrote beside the samples; they name the model."""
    beside = file.with_name(f"results_{time}.json")
    if not beside.exists():
        return {}
    try:
        found = json.loads(beside.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise BadInput(f"{beside}: is no JSON, though it should name the model") from None
    return found if isinstance(found, dict) else {}


def _model(results: Mapping[str, object]) -> str | None:
    name = results.get("model_name")
    return name if isinstance(name, str) and name else None


def _settings(results: Mapping[str, object], task: str) -> dict[str, str]:
    """What the run was told, as far as it changes the asking."""
    config, shots = results.get("config"), results.get("n-shot")
    told = config if isinstance(config, Mapping) else {}
    kept = {name: told.get(name) for name in ("model_args", "gen_kwargs")}
    kept["n-shot"] = shots.get(task) if isinstance(shots, Mapping) else None
    for name in ("system_instruction", "chat_template_sha", "fewshot_as_multiturn"):
        kept[name] = results.get(name)
    return {name: str(value) for name, value in kept.items() if value is not None}
