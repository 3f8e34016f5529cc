# Everything runs in .venv, which `make setup` creates and keeps up to date by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# What noughts is compared with is large, and only a benchmark needs it.
PEERS  := .venv-peers
# Node.js comes with the Python packages; what it needs to check the page is in package.json.
NODE   := PATH="$(CURDIR)/$(BIN):$$PATH"
PAGE   := node_modules/.installed
# Tests start hundreds of processes, which must not compile our modules each time.
unexport PYTHONDONTWRITEBYTECODE
# Tests wait a good deal, for processes and browsers: one more than there are cores.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

.DEFAULT_GOAL := help
.PHONY: help setup run tour test ready check puzzles lint format bench bench-peers docs wheel wheel-test clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: $(STAMP) ## Create .venv with everything installed

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "noughts needs Python 3.11 or newer; set PYTHON=python3.x" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev
	@touch $@

run: $(STAMP) ## Serve the page at http://127.0.0.1:8000 and open it in a browser
	@$(BIN)/noughts serve --open

tour: $(STAMP) ## Show a short tour of real results in the terminal
	@$(BIN)/python scripts/tour.py

# Neighbours share servers, browsers and tables, so each process gets a stretch of the tests.
test: $(STAMP) ## Run every check: lint, tests, and the built wheel in a bare environment
	@$(MAKE) --no-print-directory --jobs=2 --output-sync lint ready
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --quiet
	$(MAKE) --no-print-directory wheel-test

ready: $(STAMP) # for tests: what they would all wait for
	$(BIN)/python scripts/compile_kernels.py
	$(BIN)/python scripts/chromium.py

$(PAGE): package.json | $(STAMP)
	@$(NODE) npm install --loglevel=error --no-progress --no-audit --no-fund
	@touch $@

# Judging, playing, counting and the analysis; what needs browsers, terminals, servers or long searches is left out.
CHECKS := rules exercises drawing analysis players puzzles test_errors.py test_import.py test_limits.py test_oracle.py test_storage.py \
	test_values.py test_views.py counting/test_dispatch.py counting/test_listing.py

check: lint ## Run the checks that find most, in about a minute: lint and the fast tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --quiet -m 'not slow' $(addprefix tests/,$(CHECKS))

puzzles: $(STAMP) ## Prove every puzzle again, and find each anew
	NOUGHTS_PUZZLES=all $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --quiet tests/puzzles

lint: $(STAMP) $(PAGE) ## Check style, types, layers and that generated files are current
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NODE) npm run --silent lint
	$(BIN)/python scripts/write_docs.py --check

format: $(STAMP) $(PAGE) ## Format the Python, JavaScript and CSS
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format .
	$(NODE) npm run --silent format

wheel: $(STAMP) ## Build the wheel into dist/
	$(BIN)/python -m build --wheel --outdir dist

wheel-test: $(STAMP) ## Build the wheel, install it alone, and run the command line from there
	$(BIN)/python scripts/test_wheel.py

bench: $(STAMP) ## Measure speed ratios against plain versions, in one run
	$(BIN)/python scripts/compile_kernels.py
	@echo
	$(BIN)/python bench/rules.py
	@echo
	$(BIN)/python bench/counting.py
	@echo
	$(BIN)/python bench/walking.py
	@echo
	$(BIN)/python bench/solving.py
	@echo
	$(BIN)/python bench/engine.py
	@echo
	$(BIN)/python bench/web.py
	@echo
	$(BIN)/python bench/page.py

bench-peers: $(PEERS)/.installed ## Measure against Pgx, OpenSpiel and PettingZoo, which get an environment of their own
	$(PEERS)/bin/python bench/peers.py --out bench/results/peers.md

$(PEERS)/.installed: pyproject.toml
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(PEERS)/bin/python -m pip install --quiet --editable '.[rl,openspiel]' --group peers
	@touch $@

docs: $(STAMP) ## Write the generated parts of docs/ anew
	$(BIN)/python scripts/write_docs.py
	$(BIN)/python scripts/run_tutorial.py

clean: ## Remove what the other targets made
	rm -rf $(VENV) $(PEERS) node_modules dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
