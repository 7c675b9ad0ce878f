"""Completion in bash, which takes `test=plan-reuse` for three words: they are joined again here."""

from __future__ import annotations

from click.shell_completion import BashComplete, CompletionItem, add_completion_class


class JoiningBash(BashComplete):
    """bash puts a completion in the place of what stands behind the last "="."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, begun = super().get_completion_args()
        *joined, last = _joined([*args, begun])
        return joined, last

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        found = super().get_completions(args, incomplete)
        before = incomplete.rpartition("=")[0]
        for item in found if before else ():
            item.value = item.value.removeprefix(f"{before}=")
        return found


def _joined(words: list[str]) -> list[str]:
    """["-T", "test", "=", "plan"] → ["-T", "test=plan"]."""
    found: list[str] = []
    for word in words:
        if found and (word == "=" or found[-1].endswith("=")):
            found[-1] += word
        else:
            found.append(word)
    return found


def register() -> None:
    add_completion_class(JoiningBash)
