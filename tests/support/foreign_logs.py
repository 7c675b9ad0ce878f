"""Logs as other people have them: Inspect logs of a task of their own, samples files of lm-eval."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, Scorer, Target, Value, accuracy, scorer
from inspect_ai.solver import TaskState, generate

import oracle

Script = Callable[[str, int], Value | None]
"""The value of a sample (by id and epoch); None: the scorer has nothing to say."""

TIME = "2026-11-30T01-05-41.123456"


@scorer(metrics=[accuracy()])
def match(script: Script) -> Scorer:
    return _scripted(script)


@scorer(metrics=[accuracy()])
def second_opinion(script: Script) -> Scorer:
    return _scripted(script)


def _scripted(script: Script) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score | None:
        value = script(str(state.sample_id), state.epoch)
        return None if value is None else Score(value=value)

    return score


def sums(count: int, **changed: Sample) -> list[Sample]:
    """Small sums, in pairs that share a text; `changed` replaces samples by id ("s3")."""
    made = {
        f"s{number}": Sample(
            id=f"s{number}",
            input=f"What is {number} + {number}?",
            target=str(2 * number),
            metadata={"text": f"t{number // 2}", "level": number % 2},
        )
        for number in range(count)
    }
    return list((made | changed).values())


def inspect_log(
    folder: Path,
    script: Script,
    *,
    samples: Sequence[Sample] | None = None,
    task: str = "sums",
    model: str = "oracle/x",
    epochs: int = 1,
    config: GenerateConfig | None = None,
    also: Script | None = None,
    is_failing: Callable[[str], bool] = lambda words: False,
) -> Path:
    """The log of a run of the task; the provider fails on the prompts that are failing."""
    oracle.ORACLE.reset()
    oracle.ORACLE.answer = lambda words: RuntimeError("out") if is_failing(words) else "4"
    made = Task(
        dataset=list(sums(12) if samples is None else samples),
        solver=generate(),
        scorer=[match(script)] if also is None else [match(script), second_opinion(also)],
        name=task,
        config=config or GenerateConfig(),
    )
    logs = inspect_eval(
        made,
        model=model,
        log_dir=str(folder),
        epochs=epochs,
        display="none",
        log_realtime=False,
        fail_on_error=False,
    )
    return Path(logs[0].location)


def harness_line(
    number: int, metrics: Mapping[str, object], *, filter_name: str = "none", reply: str = "4"
) -> dict[str, object]:
    """A line as `lm_eval --log_samples` writes it."""
    doc = {"question": f"What is {number} + {number}?", "answer": 2 * number, "topic": number // 2}
    prompt = f"Q: {doc['question']}\nA:"
    return {
        "doc_id": number,
        "doc": doc,
        "target": str(doc["answer"]),
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}},
        "resps": [[reply]],
        "filtered_resps": [reply],
        "filter": filter_name,
        "metrics": list(metrics),
        "doc_hash": hashlib.sha256(json.dumps(doc, indent=2).encode()).hexdigest(),
        "prompt_hash": hashlib.sha256(prompt.encode()).hexdigest(),
        "target_hash": hashlib.sha256(str(doc["answer"]).encode()).hexdigest(),
        **metrics,
    }


def harness_file(
    folder: Path,
    lines: Iterable[Mapping[str, object]],
    *,
    task: str = "sums",
    results: Mapping[str, object] | None = None,
) -> Path:
    """The samples file of a run, and the results beside it where there are any."""
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / f"samples_{task}_{TIME}.jsonl"
    out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    if results is not None:
        (folder / f"results_{TIME}.json").write_text(json.dumps(results))
    return out
