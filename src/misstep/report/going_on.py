"""The command that goes on from a finished run to as many items as would probably decide."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from misstep.analyse import Comparison
from misstep.analyse.splits import is_reference
from misstep.core.family import Family, Spec
from misstep.models.store import DEFAULT
from misstep.runner.manifest import Manifest
from misstep.runner.run import usual_temperature


def command(
    asked: Manifest,
    log_dir: Path,
    family: Family[Any],  # Any: families of every payload
    comparisons: Sequence[Comparison],
    spending: Sequence[str] = (),
) -> str | None:
    """One line for the run's undecided comparisons; None where nothing more would help.

    `spending` are the words on prices and budget, which a manifest doesn't hold.
    """
    named = family.variant(asked.options)
    more = [
        comparison.n + comparison.to_decide.items
        for comparison in comparisons
        if (comparison.family, comparison.who) == (asked.family, asked.model)
        and comparison.variant == named
        and comparison.to_decide is not None
    ]
    # A reference solver answers every arm alike; more items of it would decide nothing.
    if not more or is_reference(asked.model):
        return None
    words = shlex.join([*_words(asked, log_dir, family.spec, max(more)), *spending])
    return f"To go on from here, asking nothing again:\n  {words}"


def _words(asked: Manifest, log_dir: Path, spec: Spec, limit: int) -> list[str]:
    """The command's words; what is as by default is left out."""
    words = ["misstep", "run", asked.family]
    for flag, value, usual in (
        ("--model", asked.model, f"embedded/{DEFAULT}"),
        ("--limit", limit, None),
        ("--arms", ",".join(asked.arms), ",".join(arm.name for arm in spec.default_arms)),
        ("--arms-file", asked.arms_file, None),
        ("--scale", asked.scale, "quick"),
        ("--repeat", asked.repeat, 1),
        ("--seed", asked.seed, 0),
        ("--temperature", asked.temperature, usual_temperature(asked.repeat)),
        ("--max-tokens", asked.max_tokens, None),
        ("--shard", asked.shard, None),
        ("--log-dir", str(log_dir), "logs"),
    ):
        if value is not None and value != usual:
            words += [flag, str(value)]
    usual_options = {option.name: option.default for option in spec.options}
    for name, option in asked.options.items():
        if option != usual_options.get(name):
            words += ["-T", f"{name}={option}"]
    for name, arg in asked.model_args.items():
        words += ["-M", f"{name}={arg}"]
    if not asked.log_images:
        words += ["--log-images", "no"]
    if asked.is_sequential:
        words.append("--sequential")
    if asked.reader is not None:
        words += ["--extractor", "model", "--reader", asked.reader]
    return words
