# Everything starts here: `make demo` for a first experiment, `make test` for the tests.
PYTHON ?= python3
BIN := .venv/bin
DEMO_MODEL ?= qwen2.5-coder-1.5b
TEST_MODEL := smollm2-135m

.PHONY: help setup demo test check format lock licences audit bench bench-short bench-keep calibrate wheel family faces-evidence clean

help:
	@echo "make demo    set up, fetch the embedded model, run the first experiment, write report.html"
	@echo "make test    set up, fetch the small model, run the tests"
	@echo "make check   format, lint, types, import contracts"
	@echo "make bench   speed as ratios, held against the last kept run (bench-short: a minute or two)"
	@echo "make bench-keep   the same, and adds the run to bench/history.jsonl"
	@echo "make calibrate   simulation: do the statistics keep what they promise? minutes"
	@echo "make wheel   build the wheel and try it in an empty environment"
	@echo "make faces-evidence   what the ready-made faces give away, and how hard they are"
	@echo "make family NAME=colours   scaffold a new family"
	@echo "make lock    make the lock file anew from pyproject.toml"
	@echo "make licences   make the table of docs/licences.md anew"
	@echo "make audit   known vulnerabilities of what is locked, by pip-audit; needs the network"

setup: .venv/.made

.venv/.made: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup
	$(BIN)/misstep models get $(DEMO_MODEL)
	$(BIN)/misstep run grammar --model embedded/$(DEMO_MODEL)
	$(BIN)/misstep report logs --out report.html

test: setup
	$(BIN)/misstep models get $(TEST_MODEL)
	$(BIN)/python -m pytest -q -n 2

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: setup
	$(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --group dev --extra all --output-file requirements.lock pyproject.toml

licences: setup
	$(BIN)/python tools/licences.py

audit: setup
	$(BIN)/python tools/audit.py

bench: setup
	$(BIN)/misstep models get $(TEST_MODEL)
	$(BIN)/python bench/run.py

bench-short: setup
	$(BIN)/misstep models get $(TEST_MODEL)
	$(BIN)/python bench/run.py --short

bench-keep: setup
	$(BIN)/misstep models get $(TEST_MODEL)
	$(BIN)/python bench/run.py --keep
	$(BIN)/python bench/run.py --short --keep

calibrate: setup
	$(BIN)/python bench/calibrate.py

wheel: setup
	$(BIN)/python tools/try_wheel.py

faces-evidence: setup
	$(BIN)/python tools/faces_evidence.py

family: setup
	$(BIN)/python tools/new_family.py $(NAME)

clean:
	rm -rf .venv dist build logs report.html
