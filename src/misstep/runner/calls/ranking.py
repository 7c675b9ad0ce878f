"""What a direct answer's log-probabilities say of each possible answer."""

from __future__ import annotations

import math

from inspect_ai.model import ModelOutput

from misstep.core.answers import Vocabulary
from misstep.core.arms import Arm, Strategy
from misstep.core.family import Spec

# Providers that give log-probabilities for every model they serve; others may refuse the request.
_PROVIDERS = ("embedded", "hf", "llama-cpp-python", "sglang", "vllm")
TOP_TOKENS = 20


def is_ranked(spec: Spec, arm: Arm, model: str) -> bool:
    """Only the baseline arm, whose first token is its answer, can be ranked."""
    is_direct = arm.strategy is Strategy.SINGLE and arm.name == spec.arms[0].name
    return is_direct and bool(spec.vocabulary.answers) and model.split("/")[0] in _PROVIDERS


def answer_logprobs(output: ModelOutput, vocabulary: Vocabulary) -> dict[str, float] | None:
    """log P of each answer at the reply's first token, summed over the token's variants.

    An answer that is not among the likeliest tokens is left out; None without log-probabilities.
    """
    logprobs = output.choices[0].logprobs if output.choices else None
    if logprobs is None or not logprobs.content or not logprobs.content[0].top_logprobs:
        return None
    shares: dict[str, list[float]] = {}
    for token in logprobs.content[0].top_logprobs:
        for answer in vocabulary.answers:
            if _bare(token.token) == answer.casefold():
                shares.setdefault(answer, []).append(math.exp(token.logprob))
    return {answer: round(math.log(math.fsum(parts)), 6) for answer, parts in shares.items()}


def _bare(token: str) -> str:
    return token.strip(" \t\n\r\"'“”‘’*`.,:;()[]").casefold()
