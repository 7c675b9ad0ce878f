# Everything starts here: `make demo` for a first experiment, `make test` for the tests.
PYTHON ?= python3
BIN := .venv/bin
DEMO_MODEL ?= qwen2.5-coder-1.5b
TEST_MODEL := smollm2-135m
PAGES := src/misstep/study/pages

.PHONY: help setup pages demo test check format lock licences audit bench bench-short bench-ci bench-keep memory study-load faults soak calibrate wheel family faces-evidence clean

help:
	@echo "make demo    set up, fetch the embedded model, run the first experiment, write report.html"
	@echo "make test    set up, fetch the small model, run the tests"
	@echo "make check   format, lint, types, import contracts"
	@echo "make pages   build the page for participants of a study; needs npm (make setup does it too)"
	@echo "make bench   speed as ratios, held against the last kept run (bench-short: a minute or two)"
	@echo "make bench-ci   the ratios that hold on a busy machine, half a minute"
	@echo "make bench-keep   all of these, and adds the runs to bench/history.jsonl"
	@echo "make memory   memory and time of runs of up to 100,000 samples, and of what reads them; an hour"
	@echo "make ray-test   a cluster of two nodes, one killed half-way: what happens, told"
	@echo "make faults   5,000 questions to a server that fails: what it took; half an hour"
	@echo "make soak   kill -9 at 50 random moments over every family and strategy; half an hour"
	@echo "make study-load   300 participants of a study at once, and its server killed; ten minutes"
	@echo "make calibrate   simulation: do the statistics keep what they promise? minutes"
	@echo "make wheel   build the wheel and try it in an empty environment"
	@echo "make faces-evidence   what the ready-made faces give away, and how hard they are"
	@echo "make family NAME=colours   scaffold a new family"
	@echo "make lock    make the lock file anew from pyproject.toml"
	@echo "make licences   make the table of docs/licences.md anew"
	@echo "make audit   known vulnerabilities of what is locked, by pip-audit; needs the network"

setup: .venv/.made
	@if command -v npm >/dev/null && $(MAKE) --no-print-directory pages; then :; \
	else echo "no page for participants: misstep study needs 'make pages', with npm"; fi

.venv/.made: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

pages: $(PAGES)/built/manifest.json

$(PAGES)/built/manifest.json: $(PAGES)/node_modules/.made $(PAGES)/build.mjs $(shell find $(PAGES)/source $(PAGES)/licences -type f) $(PAGES)/words/english.json
	cd $(PAGES) && npm run --silent build

$(PAGES)/node_modules/.made: $(PAGES)/package.json $(PAGES)/package-lock.json
	cd $(PAGES) && npm ci --silent
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
	@if [ -e $(PAGES)/node_modules/.made ]; then cd $(PAGES) && npm run --silent check; \
	else echo "the page for participants is not checked: it needs 'make pages', with npm"; fi

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

bench-ci: setup
	$(BIN)/python bench/run.py --ci

bench-keep: setup
	$(BIN)/misstep models get $(TEST_MODEL)
	$(BIN)/python bench/run.py --keep
	$(BIN)/python bench/run.py --short --keep
	$(BIN)/python bench/run.py --ci --keep

memory: setup
	$(BIN)/python bench/memory_curve.py

study-load: setup
	$(BIN)/python bench/study_load.py

ray-test: setup
	$(BIN)/python bench/ray_log.py

faults: setup
	$(BIN)/python bench/faults.py

soak: setup
	$(BIN)/python bench/soak.py

calibrate: setup
	$(BIN)/python bench/calibrate.py

wheel: setup
	$(BIN)/python tools/try_wheel.py

faces-evidence: setup
	$(BIN)/python tools/faces_evidence.py

family: setup
	$(BIN)/python tools/new_family.py $(NAME)

clean:
	rm -rf .venv dist build logs report.html $(PAGES)/built $(PAGES)/node_modules
