"""Questions of a file → a task of the runner, which asks each as its row says."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    Model,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall, ToolInfo

from misstep.core.errors import BadInput
from misstep.core.questions import Message, Part, Question
from misstep.runner.own.cases import case_of
from misstep.runner.own.schemas import left_out, response_schema, tool_params
from misstep.runner.own.scoring import Scoring, judge_of
from misstep.runner.own.wrapping import OwnTask


def from_questions(
    name: str,
    questions: Sequence[Question],
    digest: str,
    scoring: Scoring,
    about: Mapping[str, str],
    judging: Model | None = None,
) -> OwnTask:
    """The task that asks these questions; BadInput where an answer is none for the scorer."""
    cases = {question.id: case_of(question) for question in questions}
    samples = {question.id: _sample(question) for question in questions}
    task = Task(
        dataset=MemoryDataset(list(samples.values()), name=name),
        solver=_converse({question.id: _Spoken.of(question) for question in questions}),
        name=name,
    )
    judge = judge_of(scoring, cases, judging)
    notes = tuple(_notes(questions))
    return OwnTask(name, task, samples, cases, judge, about, digest, judging, notes)


def _notes(questions: Sequence[Question]) -> Iterator[str]:
    """What of the rows' schemas the model is never told."""
    unsaid: dict[str, None] = {}
    for question in questions:
        if question.schema is not None:
            found = left_out(f"{question.place}: schema", question.schema)
            unsaid.update(dict.fromkeys(sorted(found)))
    if unsaid:
        yield (
            f"schema: {', '.join(unsaid)} can't be said to the model; only --scorer json holds "
            "replies against it"
        )


class _Spoken:
    """What goes with each call of one row: its tools, what they give back, and its schema."""

    def __init__(self, tools: list[ToolInfo], results: Mapping[str, str], config: GenerateConfig):
        self.tools = tools
        self.results = results
        self.config = config

    @staticmethod
    def of(question: Question) -> _Spoken:
        where = question.place
        tools = [
            ToolInfo(
                name=tool.name,
                description=tool.description,
                parameters=tool_params(f"{where}: tools: {tool.name}", tool.parameters),
            )
            for tool in question.tools
        ]
        schema = question.schema
        asked = None if schema is None else response_schema(f"{where}: schema", schema)
        return _Spoken(tools, question.results, GenerateConfig(response_schema=asked))


def _converse(rows: Mapping[str, _Spoken]) -> Solver:
    """Ask; where a tool is called whose result the row gives, give it and ask on.

    A call of any other tool is the reply. The sample's limit on messages bounds it.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        row, model = rows[str(state.metadata["question"])], get_model()
        while True:
            state.output = await model.generate(state.messages, tools=row.tools, config=row.config)
            state.messages.append(state.output.message)
            calls = state.output.message.tool_calls or []
            if not calls or any(call.function not in row.results for call in calls):
                return state
            for call in calls:
                state.messages.append(_result(call, row.results[call.function]))

    return solver(name="converse")(lambda: solve)()


def _result(call: ToolCall, content: str) -> ChatMessageTool:
    return ChatMessageTool(content=content, tool_call_id=call.id, function=call.function)


def _sample(question: Question) -> Sample:
    messages = question.messages
    is_plain = len(messages) == 1 and messages[0].parts == (Part(text=messages[0].text),)
    return Sample(
        id=question.id,
        input=messages[0].text if is_plain else [_message(one) for one in messages],
        target=case_of(question).truth,
        metadata={"question": question.id},
    )


def _message(message: Message) -> ChatMessage:
    parts = [_content(part) for part in message.parts]
    is_text = len(parts) == 1 and message.parts[0].text is not None
    content: str | list[Content] = message.text if is_text or not parts else parts
    if message.role == "system":
        return ChatMessageSystem(content=content)
    if message.role == "user":
        return ChatMessageUser(content=content)
    if message.role == "tool":
        return ChatMessageTool(content=content, tool_call_id=message.call)
    calls = [
        ToolCall(id=one.id, function=one.name, arguments=dict(one.arguments))
        for one in message.calls
    ]
    return ChatMessageAssistant(content=content, tool_calls=calls or None)


def _content(part: Part) -> Content:
    if part.image is None:
        return ContentText(text=part.text or "")
    return ContentImage(image=_data_uri(part.image))


def _data_uri(image: str) -> str:
    """A file's picture in the message itself: the runner takes no path at this place."""
    if image.startswith("data:"):
        return image
    path = Path(image)
    kind = mimetypes.guess_type(path.name)[0] or ""
    if not kind.startswith("image/"):
        raise BadInput(f"{path}: image_url: its name says nothing of a picture (.png, .jpg)")
    try:
        held = base64.b64encode(path.read_bytes()).decode()
    except OSError as error:
        raise BadInput(f"{path}: image_url: {error.strerror or error}") from None
    return f"data:{kind};base64,{held}"
