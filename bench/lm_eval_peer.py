"""The peer in peers_bench.py: `PYTHON lm_eval_peer.py QUESTIONS.jsonl` prints processor seconds.

Runs by any Python that has lm-evaluation-harness, and imports nothing of ours.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from lm_eval import simple_evaluate  # type: ignore[import-not-found]  # installed elsewhere
from lm_eval.api.model import LM  # type: ignore[import-not-found]  # installed elsewhere


class Instant(LM):  # type: ignore[misc]  # as it isn't installed here
    """Answers at once, as the other peers' provider does."""

    def generate_until(self, requests: list[Any], **_further: Any) -> list[str]:  # Any: theirs
        return ["Yes"] * len(requests)

    def loglikelihood(self, requests: list[Any], **_further: Any) -> list[Any]:  # Any: theirs
        raise SystemExit("no likelihood is asked for")

    loglikelihood_rolling = loglikelihood


def main() -> None:
    task = {
        "task": "instant",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": sys.argv[1]}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{prompt}}",
        "doc_to_target": "{{truth}}",
        "generation_kwargs": {"until": ["\n"]},
        "metric_list": [{"metric": "exact_match"}],
    }
    began = time.process_time()
    found = simple_evaluate(Instant(), tasks=[task], bootstrap_iters=0, log_samples=True)
    taken = time.process_time() - began
    assert found["samples"]["instant"]
    print(taken)


if __name__ == "__main__":
    main()
