"""Checks as lines, as JSON, and as JUnit's XML, for whoever builds on every change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as Xml

from misstep.analyse.checks import Check, FailOn
from misstep.analyse.comparison import Comparison, NonInferiority
from misstep.analyse.plain import plain
from misstep.core.errors import BadInput
from misstep.report import wording

SCHEMA = 1
_SUITE = "misstep check"


@dataclass(frozen=True)
class Checked:
    """All checks of a call; `notes` say what could not be compared."""

    checks: tuple[Check, ...]
    fail_on: tuple[FailOn, ...]
    notes: tuple[str, ...]

    @property
    def failing_notes(self) -> tuple[str, ...]:
        return self.notes if FailOn.NOT_COMPARED in self.fail_on else ()

    @property
    def is_passed(self) -> bool:
        return not self.failing_notes and all(one.is_passed for one in self.checks)


def lines(checked: Checked) -> Iterator[str]:
    """A line for each comparison, one for each thing that could not be compared, and the end."""
    for check in checked.checks:
        state = "pass" if check.is_passed else f"FAIL ({', '.join(check.failed_on)})"
        yield f"{state}: {_name(check.comparison)}: {_said(check.comparison)}"
    for note in checked.notes:
        yield f"{f'FAIL ({FailOn.NOT_COMPARED})' if checked.failing_notes else 'note'}: {note}"


def to_json(checked: Checked) -> dict[str, object]:
    """docs/continuous-integration.md has the fields."""
    return {
        "schema": SCHEMA,
        "passed": checked.is_passed,
        "fail_on": plain(checked.fail_on),
        "checks": [_check_to_json(check) for check in checked.checks],
        "notes": list(checked.notes),
    }


def write_junit(checked: Checked, out: Path) -> None:
    """A test case for each comparison; BadInput where the file can't be written."""
    failures = sum(not check.is_passed for check in checked.checks) + len(checked.failing_notes)
    cases = len(checked.checks) + len(checked.failing_notes)
    counts = {"tests": str(cases), "failures": str(failures), "errors": "0", "skipped": "0"}
    root = Xml.Element("testsuites", {"name": _SUITE, **counts})
    suite = Xml.SubElement(root, "testsuite", {"name": _SUITE, **counts})
    for check in checked.checks:
        one = check.comparison
        reason = ", ".join(check.failed_on) or None
        _add_case(suite, _asked(one), _sides(one), _said(one), reason)
    for number, note in enumerate(checked.failing_notes, 1):
        _add_case(suite, FailOn.NOT_COMPARED, f"note {number}", note, FailOn.NOT_COMPARED)
    Xml.indent(root)
    try:
        Xml.ElementTree(root).write(out, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise BadInput(f"--junit: {out} can't be written: {error.strerror}") from None


def _add_case(suite: Xml.Element, where: str, name: str, said: str, failure: str | None) -> None:
    case = Xml.SubElement(suite, "testcase", {"classname": _clean(where), "name": _clean(name)})
    if failure is not None:
        Xml.SubElement(case, "failure", {"type": failure, "message": _clean(said)})
    Xml.SubElement(case, "system-out").text = _clean(said)


def _check_to_json(check: Check) -> dict[str, object]:
    one = check.comparison
    kept = (
        "family", "variant", "who", "baseline_who", "arm", "baseline", "factor", "level", "n",
        "groups", "effect", "unit", "interval", "p", "p_adjusted", "verdict", "non_inferiority",
    )  # fmt: skip
    values = {name: plain(getattr(one, name)) for name in kept}
    return {"passed": check.is_passed, "failed_on": plain(check.failed_on), **values}


def _name(one: Comparison) -> str:
    return f"{_asked(one)}: {_sides(one)}"


def _asked(one: Comparison) -> str:
    return wording.title(one)


def _sides(one: Comparison) -> str:
    return f"{one.one} against {one.other}"


def _said(one: Comparison) -> str:
    interval = wording.points_interval(one.interval, one.measure)
    p = "no test" if one.p_adjusted is None else f"p {wording.p_value(one.p_adjusted)}"
    said = f"{one.verdict}, {wording.difference(one.effect, one.measure)} ({interval}), {p}"
    if one.non_inferiority is not None:
        said += f", {_at_most_worse(one.non_inferiority, one)}"
    return said


def _at_most_worse(found: NonInferiority, one: Comparison) -> str:
    shown = "shown" if found.arm.is_shown else "not shown"
    return f"{shown} to be at most {wording.margin(found.margin, one.measure)} worse"


def _clean(text: str) -> str:
    """Without the characters that XML 1.0 has no way to hold."""
    return "".join(letter if _is_xml(ord(letter)) else "�" for letter in text)


def _is_xml(code: int) -> bool:
    return (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or (0x10000 <= code <= 0x10FFFF)
    )
