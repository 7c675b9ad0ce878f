"""Which studies can do without a server, and what their page then holds of the truth."""

from __future__ import annotations

from collections.abc import Iterator

from misstep.core.errors import BadInput
from misstep.registry import family
from misstep.study.course.nouns import Study
from misstep.study.trials.every import trial


def check(study: Study, *, with_truth: bool) -> tuple[str, ...]:
    """What of the truth will be in the page, a line for each; BadInput where the study can't be
    listed ahead, or where the page would hold any truth and `with_truth` doesn't allow that."""
    for number, block in enumerate(study.blocks, start=1):
        room = family(block.family)
        if room.conversation is not None:
            raise BadInput(
                f"STUDY: block.{number}: {block.family} tells the right answer after each answer, "
                "and its next screen hangs on all of them: it needs misstep study serve"
            )
        if block.practice and not room.spec.vocabulary.answers:
            raise BadInput(
                f"STUDY: block.{number}.practice: {block.practice}: what is said of a plan can't "
                "be listed ahead; set it to 0, or use misstep study serve"
            )
    found = tuple(_truths(study))
    if found and not with_truth:
        raise BadInput(
            f"--with-truth: the page would hold {'; '.join(found)}; allow it with --with-truth, or "
            "set tries = 0 and practice = 0, or use misstep study serve"
        )
    return found


def _truths(study: Study) -> Iterator[str]:
    for number, block in enumerate(study.blocks, start=1):
        if study.tries and trial(block.family).checks:
            yield f"the right answers to the questions about the instructions of block {number}"
        if block.practice:
            yield f"the right answers to the practice items of block {number}"
