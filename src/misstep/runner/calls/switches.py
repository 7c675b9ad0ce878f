"""What each provider can be told about thinking through the runner (inspect_ai 0.3.285).

Read from the runner's own providers: a setting that one of them would drop, round or turn into
another without a word is refused here instead. docs/arms.md holds the same as a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from inspect_ai.model import ModelAPI

from misstep.core.arms import LEVELS


class Off(Enum):
    """What comes of telling a model not to think."""

    TOLD = "told"
    NEEDLESS = "the model doesn't think unless it is told to"
    UNTOLD = "the runner has no way to tell it"
    NEVER = "the model always thinks"


@dataclass(frozen=True)
class Switch:
    """What one model can be told: levels, a number of tokens (from `least` up), not to think.

    `converts`: a level goes out as a number of tokens, as the runner has no level for the model.
    `temperature` is what the provider forces while the model thinks, None where nothing is known.
    """

    levels: tuple[str, ...] = LEVELS
    takes_tokens: bool = False
    off: Off = Off.TOLD
    least: int = 1
    converts: bool = False
    temperature: float | None = None


SILENT = Switch(levels=(), off=Off.UNTOLD)
LEVELS_ONLY = Switch()
LEVELS_NO_OFF = Switch(off=Off.UNTOLD)
NO_THINKER = Switch(levels=(), off=Off.NEEDLESS)
EVERYTHING = Switch(takes_tokens=True)
_LEAST_OF_CLAUDE = 1024


OWN_TEMPERATURE: Mapping[str, float] = {"openai": 1.0, "anthropic": 1.0}
"""What holds where a provider drops the temperature that was asked for, as its documents say."""


def switch(provider: str, api: ModelAPI) -> Switch:
    """The switch of a model. Providers from outside the runner get every setting as it is asked,
    and the check of the first answers shows what they made of it."""
    known = _SWITCHES.get(provider)
    return EVERYTHING if known is None else known(api)


def _says(api: ModelAPI, name: str) -> bool:
    """The provider's own word on its model; these methods are not among the base class's."""
    method: Callable[[], bool] | None = getattr(api, name, None)
    return False if method is None else bool(method())


def _openai(api: ModelAPI) -> Switch:
    if not _says(api, "has_reasoning_options"):
        return NO_THINKER
    off = Off.NEVER if _says(api, "always_reasons") else Off.TOLD
    return Switch(off=off, temperature=1.0)


def _anthropic(api: ModelAPI) -> Switch:
    if not _says(api, "is_thinking_model"):
        return NO_THINKER
    if not _says(api, "is_claude_4_7_or_later"):
        return Switch(takes_tokens=True, off=Off.NEEDLESS, least=_LEAST_OF_CLAUDE, temperature=1.0)
    off = Off.TOLD if _says(api, "_supports_disabling_thinking") else Off.NEVER
    return Switch(off=off, temperature=1.0)


def _google(api: ModelAPI) -> Switch:
    if not _says(api, "is_gemini_thinking"):
        return NO_THINKER
    off = Off.NEVER if _says(api, "is_gemini_thinking_only") else Off.TOLD
    return Switch(takes_tokens=True, off=off)


def _bedrock(api: ModelAPI) -> Switch:
    if _says(api, "is_claude"):
        return _claude_on_bedrock(api)
    thinks = _says(api, "is_gpt_oss") or (
        _says(api, "is_nova") and _says(api, "supports_nova_reasoning")
    )
    return LEVELS_NO_OFF if thinks else SILENT


def _claude_on_bedrock(api: ModelAPI) -> Switch:
    if not _says(api, "is_thinking_model"):
        return NO_THINKER
    if _says(api, "is_claude_4_7_or_later"):
        return Switch(off=Off.UNTOLD, temperature=1.0)
    return Switch(
        takes_tokens=True,
        off=Off.NEEDLESS,
        least=_LEAST_OF_CLAUDE,
        converts=not _says(api, "is_claude_4_6_or_later"),
        temperature=1.0,
    )


def _grok(api: ModelAPI) -> Switch:
    takes = _says(api, "is_grok_3_mini") or (
        _says(api, "is_at_least_grok_4") and not _says(api, "is_grok_4_original")
    )
    return LEVELS_NO_OFF if takes else SILENT


def _fireworks(api: ModelAPI) -> Switch:
    is_old = _says(api, "is_gpt_oss") or _says(api, "is_minimax_m2")
    return LEVELS_NO_OFF if is_old else LEVELS_ONLY


def _moonshot(api: ModelAPI) -> Switch:
    if _says(api, "is_kimi_k3"):
        return Switch(levels=(), off=Off.NEVER)
    return LEVELS_ONLY


def _always(one: Switch) -> Callable[[ModelAPI], Switch]:
    return lambda _api: one


_SWITCHES: Mapping[str, Callable[[ModelAPI], Switch]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "bedrock": _bedrock,
    "grok": _grok,
    "fireworks": _fireworks,
    "moonshot": _moonshot,
    # Its API knows two levels, low and high; thinking ignores the temperature.
    "deepseek": _always(Switch(levels=("low", "high"), temperature=1.0)),
    "mistral": _always(Switch(levels=("high",))),
    **dict.fromkeys(
        ("groq", "ollama", "together", "sambanova", "sagemaker", "meta"), _always(LEVELS_NO_OFF)
    ),
    **dict.fromkeys(
        (
            "openai-api",
            "openai-api-completions",
            "vllm",
            "vllm-completions",
            "sglang",
            "llama-cpp-python",
            "cloudflare",
            "perplexity",
            "hf-inference-providers",
            "litellm-proxy",
        ),
        _always(LEVELS_ONLY),
    ),
    **dict.fromkeys(("azureai", "hf", "transformer_lens", "nnterp"), _always(SILENT)),
    **dict.fromkeys(("embedded", "ref"), _always(NO_THINKER)),
}
