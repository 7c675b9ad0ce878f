"""Times of a study: the family's defaults under a study's own, and how they are said to people."""

from __future__ import annotations

from misstep.study.trials.nouns import Timing

_MINUTE = 60_000


def timed(defaults: Timing, timing: Timing) -> Timing:
    """The study's times, and the family's own where it has none."""
    return Timing(
        deadline=_either(timing.deadline, defaults.deadline),
        deliberate=_either(timing.deliberate, defaults.deliberate),
        each=_either(timing.each, defaults.each),
        memorise=_either(timing.memorise, defaults.memorise),
    )


def said(milliseconds: int) -> str:
    """As in "6 seconds", "1.5 seconds", "2 minutes 30 seconds"; minutes only from two on."""
    if milliseconds < 2 * _MINUTE:
        return _counted(milliseconds / 1000, "second")
    minutes, rest = divmod(milliseconds, _MINUTE)
    seconds = f" {_counted(rest / 1000, 'second')}" if rest else ""
    return _counted(minutes, "minute") + seconds


def _counted(number: float, unit: str) -> str:
    shown = f"{number:g}"
    return f"{shown} {unit}" if shown == "1" else f"{shown} {unit}s"


def _either(given: int | None, own: int | None) -> int | None:
    return own if given is None else given
