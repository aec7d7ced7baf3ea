# Two commands do everything: `make bench` and `make test`. Both set up their own environment.
PYTHON ?= python3
BIN := .venv/bin
# All that ship but `stop`: it completes nothing, and Tables 3 and 4 are over what all complete.
PLANNERS := straight,social-force,orca,orca-checkpoints,sacadrl,sampling,dwa,time-gap,mppi

.PHONY: bench test test-slow fuzz check docs wheel clean

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Paseo needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

bench: .venv/installed
	@out=runs/bench-$$(date +%Y%m%d-%H%M%S); \
	$(BIN)/paseo run paseo-33 --planner $(PLANNERS) --out $$out && $(BIN)/paseo compare $$out

check: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Types are checked while the tests run: mypy takes one core for a minute where it has never run.
# The environment has the extras: one that cannot be found is an error, not a reason to skip. A third
# worker uses what two leave of two cores while they wait for processes and sockets.
test: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(BIN)/mypy >.venv/types.txt 2>&1 & types=$$!; \
	PASEO_NEEDS_EXTRAS=1 $(BIN)/pytest -n 3 --dist worksteal; tests=$$?; \
	wait $$types || { cat .venv/types.txt; exit 1; }; exit $$tests

# These packages are too large for everybody's environment; what needs them is tested here.
# One version of torch is named, so that one that lies on disk can be taken.
.venv/with-large: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[rerun,local,tracking,docs]'
	@touch $@

test-slow: .venv/with-large
	PASEO_NEEDS_EXTRAS=1 $(BIN)/pytest -n 2 --dist loadfile -m slow

# Damaged files of every kind through the command line. A dozen of each take a minute of one core;
# `make fuzz MUTANTS=2000 JOBS=2` takes about half an hour of two idle cores (RESUME=1 goes on where it was
# stopped), and other SEEDs give other mutants.
MUTANTS ?= 12
SEED ?= 1
JOBS ?= 1
fuzz: .venv/installed
	PYTHONPATH=tools $(BIN)/python -m fuzz --mutants $(MUTANTS) --seed $(SEED) --jobs $(JOBS) \
	  --keep build/fuzz $(if $(RESUME),--resume)

# The site lies in build/docs/site; its notebooks are run, and a link that leads nowhere is an error.
.venv/with-docs: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

docs: .venv/with-docs
	$(BIN)/python tools/documentation/make_site.py

wheel: .venv/installed
	$(BIN)/python -m build --wheel --outdir dist

clean:
	rm -rf .venv dist build runs
