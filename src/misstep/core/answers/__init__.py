"""Reading answers: one extractor for the suite, the same for every arm."""

from misstep.core.answers.numbers import read_number, value_of
from misstep.core.answers.reading import Reading, ReadingState, read
from misstep.core.answers.second import second_question
from misstep.core.answers.texts import read_exact, same_words
from misstep.core.answers.vocabulary import VOCABULARIES, Vocabulary, words

__all__ = [
    "VOCABULARIES",
    "Reading",
    "ReadingState",
    "Vocabulary",
    "read",
    "read_exact",
    "read_number",
    "same_words",
    "second_question",
    "value_of",
    "words",
]
