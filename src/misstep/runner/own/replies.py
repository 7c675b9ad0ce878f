"""What a reply says: its text, or the calls of tools that it ends with."""

from __future__ import annotations

import json

from inspect_ai.model import ModelOutput

from misstep.core.outcomes import Reply
from misstep.runner.logged.rows import reply_of


def reply_to(output: ModelOutput) -> Reply:
    """A reply that ends with calls of tools is those calls, as JSON: one object, or a list."""
    calls = output.message.tool_calls if output.choices else None
    if not calls:
        return reply_of(output)
    listed = [{"name": call.function, "arguments": call.arguments} for call in calls]
    plain = listed[0] if len(listed) == 1 else listed
    return Reply(json.dumps(plain, ensure_ascii=False), output.stop_reason)
