"""The study file, TOML of schema 1 (docs/study-file.md), read into a `Study`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any
from unicodedata import category

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.options import OptionValue, read_options
from misstep.registry import family
from misstep.study.course.defaults import DEFAULTS, Usual
from misstep.study.course.nouns import (
    SCHEMA,
    Block,
    Bonus,
    Design,
    Draw,
    Ending,
    Exclusions,
    Links,
    Study,
    Texts,
)
from misstep.study.course.texts import CONSENT, DEBRIEFING, WELCOME
from misstep.study.pages.words.own import differing
from misstep.study.trials.every import TRIALS, trial
from misstep.study.trials.nouns import Timing

MOST_PEOPLE, MOST_ITEMS, LONGEST_TEXT_FILE = 100_000, 1_000, 200_000
_ENDINGS = (Ending.COMPLETE, Ending.SCREENED_OUT, Ending.NO_CONSENT)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Timing(_Table):
    deadline: int | None = Field(default=None, ge=0, le=3_600_000)
    deliberate: int | None = Field(default=None, ge=0, le=3_600_000)
    each: int | None = Field(default=None, ge=50, le=600_000)
    memorise: int | None = Field(default=None, ge=100, le=3_600_000)


class _Block(_Table):
    family: str
    items: int | None = Field(default=None, ge=1, le=MOST_ITEMS)
    arms: list[str] | None = Field(default=None, min_length=1)
    design: str | None = None
    draw: str | None = None
    practice: int | None = Field(default=None, ge=0, le=50)
    scale: str | None = None
    pool: int | None = Field(default=None, ge=1, le=100_000)
    solver: str | None = None
    timing: _Timing = _Timing()
    options: dict[str, bool | int | float | str] = {}


class _Texts(_Table):
    consent: str | None = None
    welcome: str | None = None
    debriefing: str | None = None
    language: str = Field(default="en", pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")


class _Codes(_Table):
    complete: str | None = Field(default=None, min_length=1, max_length=100)
    screened_out: str | None = Field(default=None, min_length=1, max_length=100)
    no_consent: str | None = Field(default=None, min_length=1, max_length=100)


class _Links(_Table):
    back: str = Field(default="", pattern=r"^(https?://\S+)?$", max_length=1000)
    person: str = Field(default="PROLIFIC_PID", pattern=r"^[A-Za-z0-9_.-]{1,60}$")
    study: str = Field(default="STUDY_ID", pattern=r"^[A-Za-z0-9_.-]{1,60}$")
    session: str = Field(default="SESSION_ID", pattern=r"^[A-Za-z0-9_.-]{1,60}$")
    codes: _Codes = _Codes()


class _Bonus(_Table):
    each: float = Field(default=0.0, ge=0, le=1000)
    optimal: float = Field(default=0.0, ge=0, le=1000)
    most: float | None = Field(default=None, ge=0, le=10_000)
    currency: str = Field(default="GBP", pattern=r"^[A-Z]{3}$")


class _Exclusions(_Table):
    fast_ms: int | None = Field(default=None, ge=0)
    most_fast: float | None = Field(default=None, ge=0, le=1)
    most_missed: float | None = Field(default=None, ge=0, le=1)
    least_answered: float | None = Field(default=None, ge=0, le=1)


class _Privacy(_Table):
    addresses: bool = False


class _File(_Table):
    """`schema` itself is looked at before."""

    title: str = Field(min_length=1, max_length=200)
    seed: int = Field(default=0, ge=0, lt=2**63)
    people: int = Field(default=40, ge=1, le=MOST_PEOPLE)
    tries: int = Field(default=2, ge=0, le=10)
    minutes: int = Field(default=60, ge=1, le=10_080)
    block: list[_Block] = Field(min_length=1)
    texts: _Texts = _Texts()
    words: dict[str, str] = {}
    links: _Links = _Links()
    bonus: _Bonus | None = None
    exclusions: _Exclusions = _Exclusions()
    privacy: _Privacy = _Privacy()


def read_study(path: Path) -> Study:
    """The study of a file; BadInput names file, field and value."""
    plain = _toml(path)
    if "schema" not in plain:
        raise BadInput(f"{path}: schema: is missing; this version reads schema = {SCHEMA}")
    if type(plain["schema"]) is not int or plain["schema"] != SCHEMA:
        raise BadInput(f"{path}: schema is {plain['schema']!r}, this version reads {SCHEMA}")
    return _study(path, {name: plain[name] for name in plain if name != "schema"})


def default_study(name: str, people: int | None = None, seed: int = 0) -> Study:
    """The study of `--family NAME`: every default, and the family's usual arms."""
    _check_family(Path("--family"), name)
    plain = {"title": DEFAULTS.get(name, Usual()).title, "seed": seed, "block": [{"family": name}]}
    return _study(Path("--family"), plain | ({} if people is None else {"people": people}))


def _toml(path: Path) -> Mapping[str, Any]:  # Any: not looked at yet
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"STUDY: {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: is no UTF-8 text") from None
    except (ValueError, RecursionError) as error:  # a number may be too long for Python, too
        raise BadInput(f"{path}: is no TOML: {' '.join(str(error).split())}") from None


def _study(path: Path, plain: Mapping[str, object]) -> Study:
    try:
        read = _File.model_validate(plain)
    except ValidationError as error:
        raise BadInput(f"{path}: {_said(error)}") from None
    if not read.title.strip() or any(category(one) == "Cc" for one in read.title):
        raise BadInput(f"{path}: title: {read.title!r} is blank, or more than one line of text")
    if (read.exclusions.fast_ms is None) != (read.exclusions.most_fast is None):
        raise BadInput(f"{path}: exclusions: fast_ms and most_fast go together")
    blocks = tuple(_block(path, number, one) for number, one in enumerate(read.block, start=1))
    _check_apart(path, blocks)
    texts = _texts(path, read.texts, read.words)
    study = Study(
        title=read.title,
        seed=read.seed,
        people=read.people,
        blocks=blocks,
        texts=texts,
        links=_links(read.links, f"{read.title} {read.seed}"),
        bonus=None if read.bonus is None else Bonus(**read.bonus.model_dump()),
        tries=read.tries,
        minutes=read.minutes,
        keep_addresses=read.privacy.addresses,
        exclusions=Exclusions(**read.exclusions.model_dump()),
        digest="",
        consent_digest=_digest(texts.consent),
    )
    return replace(study, digest=_met_digest(study))


def _said(error: ValidationError) -> str:
    """The first fault, with the place of it as the file names it."""
    first = error.errors(include_url=False)[0]
    if first["type"] not in ("missing", "extra_forbidden") and "options" in first["loc"][2:-1]:
        place = f"block.{int(first['loc'][1]) + 1}.options.{first['loc'][3]}"
        return f"{place}: {first['input']!r}: input should be text, a number, true or false"[:300]
    place = ".".join(str(one + 1) if isinstance(one, int) else one for one in first["loc"])
    if first["type"] == "missing":
        return f"{place}: is missing"
    if first["type"] == "extra_forbidden":
        return f"{place}: is no field of a study file"
    return f"{place}: {str(first['input'])[:80]!r}: {first['msg'][0].lower()}{first['msg'][1:]}"


def _block(path: Path, number: int, read: _Block) -> Block:
    where = f"{path}: block.{number}"
    _check_family(Path(f"{where}.family"), read.family)
    usual = DEFAULTS.get(read.family, Usual())
    spec, met = family(read.family).spec, trial(read.family)
    known = [arm.name for arm in met.arms]
    arms = tuple(read.arms or usual.arms or known[:2])
    for arm in arms:
        if arm not in known:
            raise BadInput(
                f"{where}.arms: {read.family} has no arm {arm!r} for people; "
                f"known: {', '.join(known)}"
            )
    if len(set(arms)) < len(arms):
        raise BadInput(f"{where}.arms: an arm is named twice: {', '.join(arms)}")
    scale = read.scale or usual.scale
    if scale not in spec.scales:
        raise BadInput(f"{where}.scale: {scale!r} is not one of {', '.join(spec.scales)}")
    design = _one_of(where, "design", read.design or usual.design, Design)
    items = read.items or usual.items
    if design is Design.WITHIN and items % len(arms):
        raise BadInput(
            f"{where}.items: {items} can't be shared evenly among {len(arms)} arms "
            f"within a person; take a multiple of {len(arms)}"
        )
    return Block(
        family=read.family,
        items=items,
        arms=arms,
        design=design,
        draw=_one_of(where, "draw", read.draw or usual.draw, Draw),
        practice=usual.practice if read.practice is None else read.practice,
        scale=scale,
        pool=read.pool or usual.pool,
        timing=_timing(where, read),
        options=_options(where, dict(met.options) | read.options, spec),
        solver=_solver(where, read),
    )


def _check_apart(path: Path, blocks: Sequence[Block]) -> None:
    """No person may get an item twice in one arm: their records couldn't be told apart."""
    for number, one in enumerate(blocks):
        for earlier, other in enumerate(blocks[:number], start=1):
            both = [arm for arm in one.arms if arm in other.arms]
            if both and (one.family, one.options) == (other.family, other.options):
                raise BadInput(
                    f"{path}: block.{number + 1}.arms: {both[0]!r} of {one.family} is in "
                    f"block.{earlier} too, with the same items; raise items there, or set options"
                )


def _options(where: str, given: dict[str, OptionValue], spec: Spec) -> dict[str, OptionValue]:
    """As they are stated; known to be options of the family."""
    try:
        read_options(spec.options, given, spec.name)
    except BadInput as error:
        raise BadInput(f"{where}.options: {error}") from None
    return given


def _timing(where: str, read: _Block) -> Timing:
    """A time that the family hasn't is refused: it would do nothing."""
    usual = trial(read.family).defaults
    given: Mapping[str, int | None] = read.timing.model_dump()
    for name, value in given.items():
        if value is not None and getattr(usual, name) is None:
            known = [field for field, one in asdict(usual).items() if one is not None]
            raise BadInput(
                f"{where}.timing.{name}: {read.family} has no such time; "
                f"known: {', '.join(known) or 'none'}"
            )
    return Timing(**given)


def _solver(where: str, read: _Block) -> str:
    """The reference solver by which robots answer; none named: the family's first."""
    known = list(family(read.family).solvers)
    if read.solver is None:
        return known[0]
    if read.solver not in known:
        raise BadInput(f"{where}.solver: {read.solver!r} is not one of {', '.join(known)}")
    return read.solver


def _check_family(where: Path, name: str) -> None:
    if name not in TRIALS:
        raise BadInput(f"{where}: unknown family {name!r}; known: {', '.join(TRIALS)}")


def _one_of(where: str, field: str, value: str, kind: type[Any]) -> Any:  # Any: either enumeration
    known = [one.value for one in kind]
    if value not in known:
        raise BadInput(f"{where}.{field}: {value!r} is not one of {', '.join(known)}")
    return kind(value)


def _texts(path: Path, read: _Texts, words: Mapping[str, str]) -> Texts:
    try:
        own = differing(words)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    return Texts(
        consent=_text(path, "consent", read.consent, CONSENT),
        welcome=_text(path, "welcome", read.welcome, WELCOME),
        debriefing=_text(path, "debriefing", read.debriefing, DEBRIEFING),
        language=read.language,
        words=own,
    )


def _text(path: Path, field: str, name: str | None, usual: str) -> str:
    """A Markdown file beside the study file; never one of another folder."""
    if name is None:
        return usual
    home = path.resolve().parent
    try:
        found = (home / name).resolve()
    except (ValueError, RuntimeError):  # a NUL in the name; links that lead round in a circle
        raise BadInput(f"{path}: texts.{field}: {name!r} can be no file's name") from None
    if not found.is_relative_to(home):
        raise BadInput(f"{path}: texts.{field}: {name!r} lies outside the study's folder")
    try:
        if not S_ISREG(found.stat().st_mode):  # a pipe would be waited for without end
            raise BadInput(f"{path}: texts.{field}: {name!r} is no file")
        text = found.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path}: texts.{field}: {name!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: texts.{field}: {name!r} is no UTF-8 text") from None
    if not text.strip() or len(text) > LONGEST_TEXT_FILE:
        raise BadInput(f"{path}: texts.{field}: {name!r} is empty or over {LONGEST_TEXT_FILE} long")
    return text


def _links(read: _Links, key: str) -> Links:
    """Codes that the file doesn't name are made from its title and seed, for trying a study."""
    given: Mapping[str, str | None] = read.codes.model_dump()
    codes = {
        ending: given[ending.value]
        or sha256(f"{key} {ending.value}".encode()).hexdigest()[:8].upper()
        for ending in _ENDINGS
    }
    return Links(codes, read.back, read.person, read.study, read.session)


def _met_digest(study: Study) -> str:
    """Of all that people meet, and nothing else: a larger quota, another code or rule for leaving
    people out makes no other study of it."""
    met = asdict(study)
    for name in ("people", "links", "minutes", "keep_addresses", "exclusions", "digest"):
        del met[name]
    for block in met["blocks"]:
        del block["solver"]
    if not study.texts.words:  # as digests were before there were any
        del met["texts"]["words"]
    return _digest(met)


def _digest(value: object) -> str:
    """Names the value by what it holds."""
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
