"""A printed cell as a number: how exactly it was printed, and which counts it can stand for."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal

_NUMBER = re.compile(r"(?P<below><?)(?P<number>[+-]?\d*\.?\d+)%?")
_COUNT = re.compile(r"(?P<right>\d+)/(?P<of>\d+) \((?P<share>[^)]+)\)")


@dataclass(frozen=True)
class Printed:
    """`is_bound`: the text says only that the number lies below this one ("<0.05")."""

    text: str
    number: Decimal
    is_bound: bool = False

    @property
    def digits(self) -> int:
        """Digits after the point."""
        exponent = self.number.as_tuple().exponent
        assert isinstance(exponent, int), "a printed number is finite"  # noqa: S101 our own data
        return -exponent

    @property
    def half(self) -> Decimal:
        """Half a unit of the last digit: what rounding may have hidden."""
        return Decimal(5).scaleb(-self.digits - 1)

    @property
    def low(self) -> Decimal:
        return self.number - self.half

    @property
    def high(self) -> Decimal:
        return self.number + self.half

    def shorter(self) -> Printed | None:
        """The same number without a last digit that is 0; None where it is another, or the point
        would go."""
        if self.digits < 2 or not str(self.number).endswith("0"):
            return None
        return Printed(self.text, self.number.quantize(Decimal(1).scaleb(1 - self.digits)))


@dataclass(frozen=True)
class PrintedCount:
    """A cell such as "3/500 (0.6%)"."""

    right: int
    of: int
    share: Printed


def read_number(text: str) -> Printed | None:
    """None for an empty cell and a dash."""
    if text in ("", "-"):
        return None
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise ValueError(f"no printed number: {text!r}")
    return Printed(text, Decimal(found["number"]), is_bound=bool(found["below"]))


def read_count(text: str) -> PrintedCount:
    found = _COUNT.fullmatch(text)
    share = read_number(found["share"]) if found else None
    if found is None or share is None:
        raise ValueError(f"no printed count: {text!r}")
    return PrintedCount(int(found["right"]), int(found["of"]), share)


def counts(percent: Printed, n: int) -> range:
    """The whole numbers whose share of n can be printed so; a half may go up or down."""
    low = math.ceil(percent.low * n / 100)
    return range(low, math.floor(percent.high * n / 100) + 1)
