"""A server of this machine with OpenAI's batch endpoints: files, batches, and their output."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from answering import Answering, answering

Plain = dict[str, Any]  # Any: JSON values
INPUT_TOKENS, OUTPUT_TOKENS = 1_000, 100


@dataclass
class Desk:
    """What came in. A batch is done when somebody has looked at it twice, unless all are `held`."""

    answer: Callable[[str], str] = lambda words: "Yes"
    is_held: bool = False
    files: dict[str, list[Plain]] = field(default_factory=dict)
    batches: dict[str, Plain] = field(default_factory=dict)
    alone: list[Plain] = field(default_factory=list)

    @property
    def asked(self) -> list[list[str]]:
        """The words of each batch."""
        return [
            [line["body"]["messages"][-1]["content"] for line in self.files[one["input_file_id"]]]
            for one in self.batches.values()
        ]

    def upload(self, body: bytes) -> Plain:
        lines = [json.loads(line) for line in body.splitlines() if line.startswith(b'{"custom_id"')]
        name = f"file-{len(self.files)}"
        self.files[name] = lines
        return {
            "id": name, "object": "file", "bytes": len(body), "created_at": 0,
            "filename": "batch.jsonl", "purpose": "batch", "status": "processed",
        }  # fmt: skip

    def begin(self, asked: Plain) -> Plain:
        name = f"batch-{len(self.batches)}"
        self.batches[name] = {
            "id": name, "object": "batch", "endpoint": asked["endpoint"], "status": "in_progress",
            "input_file_id": asked["input_file_id"], "completion_window": "24h", "created_at": 0,
            "looks": 0,
        }  # fmt: skip
        return self.batches[name]

    def look(self, name: str) -> Plain:
        batch = self.batches[name]
        batch["looks"] += 1
        count = len(self.files[batch["input_file_id"]])
        is_done = batch["looks"] > 1 and not self.is_held
        if is_done:
            batch |= {"status": "completed", "output_file_id": f"out-{name}"}
        done = count if is_done else 0
        return batch | {"request_counts": {"total": count, "completed": done, "failed": 0}}

    def output(self, name: str) -> bytes:
        lines = self.files[self.batches[name.removeprefix("out-")]["input_file_id"]]
        # The provider promises no order.
        rows = [
            {
                "id": f"row-{line['custom_id']}", "custom_id": line["custom_id"], "error": None,
                "response": {"status_code": 200, "body": self.complete(line["body"])},
            }
            for line in reversed(lines)
        ]  # fmt: skip
        return "\n".join(map(json.dumps, rows)).encode()

    def complete(self, request: Plain) -> Plain:
        words = str(request["messages"][-1]["content"])
        choice = {
            "index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": self.answer(words)},
        }  # fmt: skip
        return {
            "id": "1", "object": "chat.completion", "created": 0, "model": request["model"],
            "choices": [choice],
            "usage": {
                "prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS,
                "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
            },
        }  # fmt: skip


@contextmanager
def batch_server() -> Iterator[tuple[str, Desk]]:
    """Its address, and what came in."""
    desk = Desk()

    class Handler(Answering):
        def do_POST(self) -> None:  # noqa: N802 (the base class's name)
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/v1/files":
                self._say(desk.upload(body))
            elif self.path == "/v1/batches":
                self._say(desk.begin(json.loads(body)))
            else:
                desk.alone.append(json.loads(body))
                self._say(desk.complete(desk.alone[-1]))

        def do_GET(self) -> None:  # noqa: N802 (the base class's name)
            *_, kind, name = self.path.removesuffix("/content").split("/")
            self._say(desk.look(name) if kind == "batches" else desk.output(name))

        def _say(self, said: Plain | bytes) -> None:
            reply = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.say(reply)

    with answering(Handler) as address:
        yield f"{address}/v1", desk
