"""Prices of models, from a file that the user gives; schema 1, in docs/prices.md."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from misstep.core.errors import BadInput

SCHEMA = 1
MILLION = 1_000_000
FREE_PROVIDERS = ("embedded", "ref")
DEAREST = 1e9
"""Of a million tokens; what is above it is a slip, and sums of it might not be finite."""
_RATES = ("input", "cached_input", "cache_write", "output", "reasoning")
_ABOUT = ("currency", "date", "source")
_BATCH = "batch"


@dataclass(frozen=True)
class Price:
    """Money for a million tokens of each kind. `reasoning` is for output tokens spent on thinking.

    `date` (year-month-day) and `source` say when and where the price was read. `batch` is the share
    of each that is charged for what a batch interface answers.
    """

    input: float
    cached_input: float
    cache_write: float
    output: float
    reasoning: float
    currency: str
    date: str
    source: str
    batch: float = 1.0

    @property
    def is_free(self) -> bool:
        return not any(getattr(self, rate) for rate in _RATES)

    @property
    def dearest_input(self) -> float:
        return max(self.input, self.cached_input, self.cache_write)

    @property
    def dearest_output(self) -> float:
        return max(self.output, self.reasoning)


@dataclass(frozen=True)
class Prices:
    """The models' prices, by their full names, all in one currency."""

    models: Mapping[str, Price]
    path: str | None = None

    def of(self, model: str) -> Price | None:
        """None where the price is unknown, which is not the same as free.

        Embedded models and reference solvers run on this machine and cost nothing.
        """
        known = self.models.get(model)
        if known is None and model.partition("/")[0] in FREE_PROVIDERS:
            return Price(0.0, 0.0, 0.0, 0.0, 0.0, self.currency, "", "free, on this machine")
        return known

    @property
    def currency(self) -> str:
        """Empty where no model is priced."""
        return next((price.currency for price in self.models.values()), "")


NO_PRICES = Prices({})


def read_prices(path: Path) -> Prices:
    """From .toml or .json; BadInput names the model and the field."""
    plain = _load(path)
    _refuse_unknown(path, "", plain, {"schema", "models", *_ABOUT})
    if plain.get("schema") != SCHEMA:
        raise BadInput(f"{path}: schema: {plain.get('schema')!r}, this version reads {SCHEMA}")
    models = plain.get("models")
    if not isinstance(models, dict) or not models:
        raise BadInput(f"{path}: models: names no model")
    about = {name: plain[name] for name in _ABOUT if name in plain}
    prices = {name: _price(path, name, own, about) for name, own in models.items()}
    currencies = sorted({price.currency for price in prices.values()})
    if len(currencies) > 1:
        raise BadInput(f"{path}: currency: one file, one currency, not {', '.join(currencies)}")
    return Prices(prices, str(path))


def _load(path: Path) -> Mapping[str, object]:
    try:
        text = path.read_text(encoding="utf-8")
        plain = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise BadInput(f"--prices: {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        kind = "JSON" if path.suffix == ".json" else "TOML"
        raise BadInput(f"--prices: {path}: no {kind}: {error}") from None
    if not isinstance(plain, dict):
        raise BadInput(f"--prices: {path}: no table of prices")
    return plain


def _refuse_unknown(path: Path, where: str, plain: Mapping[str, object], known: set[str]) -> None:
    for name in plain:
        if name not in known:
            raise BadInput(
                f"{path}: {where}unknown field {name!r}; known: {', '.join(sorted(known))}"
            )


def _price(path: Path, model: str, own: object, about: Mapping[str, object]) -> Price:
    where = f"models.{model}: "
    if not isinstance(own, dict):
        raise BadInput(f"{path}: {where}no table of prices: {own!r}")
    _refuse_unknown(path, where, own, {*_RATES, *_ABOUT, _BATCH})
    plain = {**about, **own}
    into, out = (_rate(path, where, plain, name, None) for name in ("input", "output"))
    return Price(
        input=into,
        cached_input=_rate(path, where, plain, "cached_input", into),
        cache_write=_rate(path, where, plain, "cache_write", into),
        output=out,
        reasoning=_rate(path, where, plain, "reasoning", out),
        currency=_text(path, where, plain, "currency"),
        date=_date(path, where, plain),
        source=_text(path, where, plain, "source"),
        batch=_share(path, where, plain),
    )


def _rate(
    path: Path, where: str, plain: Mapping[str, object], name: str, usual: float | None
) -> float:
    rate = plain.get(name, usual)
    is_number = isinstance(rate, (int, float)) and not isinstance(rate, bool)
    if not (isinstance(rate, (int, float)) and is_number and 0 <= rate <= DEAREST):
        found = "is missing" if rate is None else f"{_short(rate)} is no price from 0 up"
        if isinstance(rate, (int, float)) and is_number and rate > DEAREST:
            found = f"is above {DEAREST:,.0f}"
        raise BadInput(f"{path}: {where}{name}: {found}")
    return float(rate)


def _share(path: Path, where: str, plain: Mapping[str, object]) -> float:
    """Of a batch: all of the price, where nothing else is said."""
    share = _rate(path, where, plain, _BATCH, 1.0)
    if share > 1:
        raise BadInput(f"{path}: {where}{_BATCH}: {share:g} is no share of the price from 0 to 1")
    return share


def _short(value: object) -> str:
    return repr(value)[:100]


def _text(path: Path, where: str, plain: Mapping[str, object], name: str) -> str:
    text = plain.get(name)
    if not isinstance(text, str) or not text.strip() or not text.strip().isprintable():
        found = "is missing" if text is None else f"{_short(text)} is no text of one line"
        raise BadInput(f"{path}: {where}{name}: {found}")
    return text.strip()


def _date(path: Path, where: str, plain: Mapping[str, object]) -> str:
    """As text; TOML has dates of its own."""
    found = plain.get("date")
    text = str(found) if isinstance(found, (str, date)) else None
    try:
        return date.fromisoformat(text or "").isoformat()
    except ValueError:
        said = "is missing" if found is None else f"{found!r} is no date such as 2026-11-30"
        raise BadInput(f"{path}: {where}date: {said}") from None


def priced(prices: Prices, model: str, words: str) -> Prices:
    """With the price of one model as it was said by hand: IN,OUT or IN,OUT,CURRENCY."""
    parts = [part.strip() for part in words.split(",")]
    currency = parts[2] if len(parts) == 3 else prices.currency
    known = prices.currency
    if len(parts) not in (2, 3) or not all(parts):
        raise BadInput(f"--price: {words!r} should be IN,OUT, as in 2,8 for a million tokens")
    if known and currency != known:
        raise BadInput(f"--price: {currency} isn't the currency of --prices, {known}")
    into, out = (_said(words, part) for part in parts[:2])
    price = Price(into, into, into, out, out, currency, "", "--price")
    return Prices({**prices.models, model: price}, prices.path)


def _said(words: str, part: str) -> float:
    try:
        rate = float(part)
    except ValueError:
        rate = math.nan
    if not 0 <= rate <= DEAREST:
        raise BadInput(f"--price: {words!r}: {part!r} is no price from 0 up")
    return rate
