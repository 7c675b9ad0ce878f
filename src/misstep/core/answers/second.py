"""The words with which a second model is asked what a reply says, where the rules can't tell."""

from __future__ import annotations

from misstep.core.answers.vocabulary import Vocabulary

NONE = "none"


def second_question(reply: str, vocabulary: Vocabulary) -> str:
    """Asks for one of the vocabulary's answers, or "none"; the reply stands between fences."""
    answers = ", ".join(f"“{answer}”" for answer in vocabulary.answers)
    return (
        "Below is somebody's reply to a question. Do not judge whether it is right. Which of these "
        f"answers does it finally give: {answers}?\n"
        f"--- reply ---\n{reply}\n--- end of the reply ---\n"
        f"Please ONLY answer with one of them, or with “{NONE}” if it gives none or several."
    )
