"""The provider `embedded/<model>` of the runner: a language model on this machine's processor."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from misstep.core.errors import BadInput
from misstep.models import requests, running
from misstep.models.llama import Completion, Llama, LlamaError
from misstep.models.settings import PROVIDER, read_settings
from misstep.models.snapshots import cuts

# At 600, six chains of thought of 38 were cut, some while going through the examples.
_MOST_ANSWER_TOKENS = 800

# Texts whose tokens are kept, the latest used: more than a conversation has turns.
_MOST_BEGINNINGS = 512


def check(model_name: str, args: Mapping[str, object]) -> None:
    """Raises BadInput, in one line, for whatever keeps this model from being asked."""
    read_settings(model_name, args)


@modelapi(name=PROVIDER)
class Embedded(ModelAPI):
    """A model of the catalogue by its name, or a `.gguf` by its path.

    Arguments: slots (1), n_ctx (tokens of a slot), threads ("auto": the idle cores), mmproj (a
    path, for pictures). A user message may carry `metadata={"beginnings": [180, 186]}`: the
    lengths, in characters, of beginnings of its text that other prompts share. Each is computed
    once, and answers with one slot don't depend on what was asked before, to the bit.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (the base class's own default)
        **model_args: object,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self.settings = read_settings(model_name, model_args)
        self._model: running.Running | None = None
        self._beginnings: dict[str, Sequence[int]] = {}

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 (the base class's name)
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        if tools:
            raise BadInput(f"{PROVIDER}/{self.model_name}: takes no tools")
        try:
            if requests.has_pictures(input):
                return await self._see(input, config)
            return await self._complete(input, config)
        except LlamaError as error:
            if not running.is_too_long(error):
                raise BadInput(f"{PROVIDER}/{self.model_name}: {error}") from error
            return requests.too_long(self.model_name, str(error))

    async def _complete(self, messages: list[ChatMessage], config: GenerateConfig) -> ModelOutput:
        async with self._running().slot() as slot:
            tokens, beginnings = await self._read(slot.llama, messages)
            cut_at = cuts(tokens, beginnings)
            evaluated = await slot.begin(tokens, cut_at)
            body = requests.completion(tokens, slot.number, bool(cut_at), config)
            done = await slot.llama.complete(body)
        return self._output(done, evaluated + done.evaluated, config)

    async def _see(self, messages: list[ChatMessage], config: GenerateConfig) -> ModelOutput:
        if self.settings.mmproj is None:
            raise BadInput(f"{PROVIDER}/{self.model_name}: sees no pictures without mmproj=FILE")
        async with self._running().slot() as slot:
            done = await slot.llama.chat(requests.chat(messages, slot.number, config))
        return self._output(done, done.evaluated, config)

    def _output(self, done: Completion, evaluated: int, config: GenerateConfig) -> ModelOutput:
        usage = ModelUsage(
            input_tokens=evaluated,
            input_tokens_cache_read=done.prompt_tokens - evaluated,
            output_tokens=done.generated,
            total_tokens=done.prompt_tokens + done.generated,
        )
        metadata = {"prompt_tokens_evaluated": evaluated, "threads": self.settings.threads}
        choice = requests.choice(self.model_name, done, config)
        return ModelOutput(model=self.model_name, choices=[choice], usage=usage, metadata=metadata)

    async def prompt_tokens(self, messages: list[ChatMessage]) -> tuple[int, ...]:
        """The tokens of the whole prompt, markup included: what a benchmark counts."""
        async with self._running().ask() as llama:
            return (await self._read(llama, messages))[0]

    async def tokenize(self, text: str) -> list[int]:
        async with self._running().ask() as llama:
            return list(await llama.tokens(text))

    async def count_text_tokens(self, text: str) -> int:
        return len(await self.tokenize(text))

    def max_tokens(self) -> int:
        return _MOST_ANSWER_TOKENS

    def max_connections(self) -> int:
        return self.settings.slots

    def connection_key(self) -> str:
        return str(self.settings)

    def collapse_user_messages(self) -> bool:
        return False

    async def aclose(self) -> None:
        self._leave()

    def close(self) -> None:
        self._leave()

    def _running(self) -> running.Running:
        if self._model is None:
            self._model = running.enter(self.settings)
        return self._model

    def _leave(self) -> None:
        if self._model is not None:
            running.leave(self.settings)
        self._model = None

    async def _read(
        self, llama: Llama, messages: list[ChatMessage]
    ) -> tuple[tuple[int, ...], list[Sequence[int]]]:
        """The prompt's tokens, and those of each of its beginnings."""
        prompt = await llama.template(requests.plain(messages))
        lengths = requests.beginnings(messages, prompt)
        begun = [await self._beginning(llama, prompt[:length]) for length in lengths]
        return await llama.tokens(prompt), begun

    async def _beginning(self, llama: Llama, text: str) -> Sequence[int]:
        """Kept, as the next turn of a conversation begins with all that this one did."""
        known = self._beginnings.pop(text, None)
        if known is None:
            known = array("i", await llama.tokens(text))
        self._beginnings[text] = known
        if len(self._beginnings) > _MOST_BEGINNINGS:
            self._beginnings.pop(next(iter(self._beginnings)))
        return known
