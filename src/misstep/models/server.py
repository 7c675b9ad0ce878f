"""The child process that holds the model: `python -m misstep.models.server`, on loopback only.

The parent writes one line of JSON (`Start`) to stdin and keeps stdin open; when it closes, by
whatever death of the parent, this process ends. One line of JSON with the address goes to stdout.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import xllamacpp

_PR_SET_PDEATHSIG = 1
# Small batches let a cancelled request stop within a second on a slow machine.
_BATCH = 64


@dataclass(frozen=True)
class Start:
    """What the parent asks for. `snapshots` is a folder that dies with this process.

    `follow_thread` asks the kernel for a signal when the parent's starting thread ends, so it is
    only set where that thread is the parent's main one.
    """

    path: str
    mmproj: str | None
    slots: int
    n_ctx: int
    threads: int
    snapshots: str
    key: str
    follow_thread: bool


def main() -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start = Start(**json.loads(sys.stdin.readline()))
    signal.signal(signal.SIGTERM, lambda _signal, _frame: _end(start.snapshots))
    if start.follow_thread:
        _die_with_parent()
    # The native code writes where it likes; only this copy of stdout still reaches the parent.
    report = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        server = _load(start)
    except RuntimeError:
        sys.exit("llama.cpp can't load it: the file is damaged, of an unknown kind, or too big")
    print(json.dumps({"address": server.listening_address}), file=report, flush=True)
    sys.stdin.read()
    _end(start.snapshots)


def _end(snapshots: str) -> NoReturn:
    shutil.rmtree(snapshots, ignore_errors=True)
    os._exit(0)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _load(start: Start) -> xllamacpp.Server:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = start.path
    if start.mmproj:
        params.mmproj.path = start.mmproj
        params.mmproj_use_gpu = False
    params.n_gpu_layers = 0
    params.n_parallel = start.slots
    params.n_ctx = start.n_ctx * start.slots
    params.n_batch = params.n_ubatch = _BATCH
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = start.threads
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    # Nothing may be kept from one request to the next but what a snapshot restores.
    params.cache_ram_mib = 0
    params.cache_idle_slots = False
    params.slot_save_path = start.snapshots + os.sep
    params.hostnames = ["127.0.0.1"]
    params.api_keys = [start.key]
    params.warmup = False
    params.verbosity = -1
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
