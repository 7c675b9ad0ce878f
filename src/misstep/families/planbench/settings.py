"""The options of a run, checked: what contradicts is said in one line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.family import Options
from misstep.core.options import OptionValue, read_options
from misstep.core.places import cache_folder
from misstep.core.seeds import digest
from misstep.families.planbench.spec import OPTIONS

MOST_EXAMPLES = 20
_SIZE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")
_NO_ITEMS_CHANGED = ("cache", "published")


@dataclass(frozen=True)
class Settings:
    """The options as the generator needs them. `sizes` are the least and the most that are drawn
    (None: the domain's own). `variant` names all options but the defaults, in six hex digits, or
    is empty."""

    test: str
    domain: str
    sizes: tuple[int, int] | None
    examples: int
    wording: str
    question: str
    cache: Path | None
    published: Path | None
    variant: str


def read_settings(options: Options) -> Settings:
    values = read_options(OPTIONS, options, "planbench")
    examples = int(values["examples"])
    if not 0 <= examples <= MOST_EXAMPLES:
        raise BadInput(f"-T examples: {examples} is not between 0 and {MOST_EXAMPLES}")
    if values["question"] != "state" and values["test"] != "plan-execution":
        raise BadInput(f"-T question: {values['question']} is only for test=plan-execution")
    cache, published = str(values["cache"]), str(values["published"])
    if published:
        _check_alone(values)
    return Settings(
        test=str(values["test"]),
        domain=str(values["domain"]),
        sizes=_sizes(str(values["size"])),
        examples=examples,
        wording=str(values["wording"]),
        question=str(values["question"]),
        cache=_cache(cache),
        published=Path(published) if published else None,
        variant=_variant(values),
    )


def _check_alone(values: dict[str, OptionValue]) -> None:
    """Published prompts are what they are: no option could change them."""
    for option in OPTIONS:
        if option.name not in _NO_ITEMS_CHANGED and values[option.name] != option.default:
            raise BadInput(
                f"-T {option.name}: {values[option.name]} can't go with -T published, whose"
                " prompts stay as they are"
            )


def _cache(text: str) -> Path | None:
    if text == "none":
        return None
    folder = Path(text) if text else cache_folder() / "planbench"
    if text and folder.exists() and not folder.is_dir():
        raise BadInput(f"-T cache: {text!r} is no folder")
    return folder


def _sizes(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    match = _SIZE.fullmatch(text)
    if match is None:
        raise BadInput(f"-T size: {text!r} is neither a number nor a range as in 4-5")
    low = int(match[1])
    high = int(match[2] or low)
    if high < low:
        raise BadInput(f"-T size: {text!r} ends below its beginning")
    return low, high


def _variant(values: dict[str, OptionValue]) -> str:
    """A folder counts by its name, so that the same domain elsewhere gives the same ids."""
    named = dict(values)
    named["domain"] = Path(str(values["domain"])).name
    changed = [
        f"{option.name}={named[option.name]}"
        for option in OPTIONS
        if option.name not in _NO_ITEMS_CHANGED and values[option.name] != option.default
    ]
    return digest("planbench", *sorted(changed)).hex()[:6] if changed else ""
