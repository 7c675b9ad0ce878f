"""Reading answers: one extractor for the suite, the same for every arm."""

from misstep.core.answers.reading import Reading, ReadingState, read
from misstep.core.answers.second import second_question
from misstep.core.answers.vocabulary import VOCABULARIES, Vocabulary, words

__all__ = [
    "VOCABULARIES",
    "Reading",
    "ReadingState",
    "Vocabulary",
    "read",
    "second_question",
    "words",
]
