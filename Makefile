# The whole of Seatmate in a few commands; `make help` lists them.
# Needs Python 3.11 or newer with venv, a C compiler and make; everything else comes from PyPI into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Optional extras of pyproject.toml that are installed and tested, too: make test EXTRAS=adapters
EXTRAS ?=
extras := $(addprefix $(VENV)/extra-,$(EXTRAS))
TOOLS  := $(VENV)/extra-dev $(extras)

# Everything the package is built from; the folders are in the list so that a removed file counts as a change.
SOURCES := pyproject.toml CMakeLists.txt transpile.py unasync.py README.md \
           $(shell find engine ai server client proto tests/native \( -name __pycache__ -o -name node_modules \) -prune -o -print)

.DEFAULT_GOAL := help
.PHONY: help run install dev check test lint types imports protos pytest bench fuzz golden baseline reference page shots sanitize clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

run: $(VENV)/installed  ## build, play a game of Hyde on a real server, and open it for your browser
	@$(BIN)/seatmate demo

install: $(VENV)/installed $(extras)  ## build and install into .venv; with EXTRAS=adapters also what the adapters need

dev: $(VENV)/installed $(TOOLS)

# While a game is written: seconds from a saved edit to its tests. Tests are chosen by name, so GAME may be any part of one.
check: dev  ## build what changed and run one game's tests: make check GAME=kuhn
	@test -n "$(GAME)" || { echo "Which game? For example: make check GAME=kuhn" >&2; exit 2; }
	$(BIN)/pytest tests/conformance tests/engine tests/rulebook -k "$(GAME)" --numprocesses=$(or $(WORKERS),auto)

test: dev  ## everything: lint, types, import rules, proto lint, all tests
	$(MAKE) --jobs=2 lint types imports protos
	$(MAKE) pytest

lint: $(TOOLS)
	$(BIN)/ruff check .
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint engine ai tests/native

types: dev  # the link tree build/tree, made by the build, is what mypy reads
	$(BIN)/mypy
	$(BIN)/mypy tests benches

imports: dev
	$(BIN)/lint-imports --no-logo

protos: $(TOOLS)
	$(BIN)/buf lint
	$(BIN)/buf breaking --against proto/baseline.binpb

pytest: dev
	$(BIN)/pytest -m timing $$(grep -rl --include='test_*.py' 'mark[.]timing' tests) || test $$? -eq 5  # 5: there are none
	$(BIN)/pytest -m "not timing and not browser" --numprocesses=$(or $(WORKERS),auto)
	$(BIN)/pytest -m browser tests/web --numprocesses=$(or $(WORKERS),auto) --dist=worksteal  # skips where there is no Chromium

bench: dev  ## measure playouts, search and the service (pytest-benchmark)
	$(BIN)/pytest benches --benchmark-only --benchmark-columns=median,iqr,ops,rounds --benchmark-sort=name

fuzz: dev  ## call a server in every wrong way: make fuzz CALLS=1000000 SEED=1
	$(BIN)/python benches/fuzz.py --calls $(or $(CALLS),100000) --seed $(or $(SEED),1)

golden: dev  ## write the golden playthroughs and search signatures again; review them as a diff
	$(BIN)/python tests/conformance/golden.py

baseline: $(TOOLS)  ## at a release: hold further changes of the API against this one
	$(BIN)/buf build --exclude-source-info -o proto/baseline.binpb

reference: dev  ## write docs/api.md out of the comments of the protos
	$(BIN)/python proto/reference.py

page: dev  ## build the page of the server from its sources (needs Node 20 or newer)
	cd server/web/page && npm ci && PATH="$(CURDIR)/$(BIN):$$PATH" npm run protos && npm run check && npm run build

shots: dev $(VENV)/extra-browser  ## take the pictures of docs/screens again (needs Chromium)
	SEATMATE_SHOTS=$(CURDIR)/docs/screens $(BIN)/pytest -q -m browser tests/web/test_games.py tests/web/test_table.py tests/web/test_lobby.py

# The rules, the search and their tests with AddressSanitizer and UndefinedBehaviorSanitizer, in a venv of their own; needs gcc.
# A report ends its process. ASan's go to files, so that one from a child process counts too; UBSan's go to standard error,
# which pytest must not catch. Python allocates with malloc, so that its own objects are watched. Leaks are not looked for: the
# interpreter never frees everything. Tests of strength and of frequencies are left out: they repeat a thousand times what others
# do, and the whole takes half an hour on two cores as it is.
SANITIZE := .venv-sanitize
REPORTS  := $(CURDIR)/build/sanitize/reports
SANITIZE_ENV = SEATMATE_SANITIZE=1 PYTHONMALLOC=malloc \
  LD_PRELOAD="$(shell $(CC) -print-file-name=libasan.so) $(shell $(CC) -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:log_path=$(REPORTS)/asan \
  UBSAN_OPTIONS=print_stacktrace=1
SANITIZE_TESTS := tests/engine tests/rulebook tests/ai tests/conformance \
  --deselect=tests/ai/test_strength.py -k "not distributed_like_deals" -m "not timing"

sanitize: $(SANITIZE)/installed  ## rules, search and their tests with ASan and UBSan; fails on any report (half an hour)
	@rm -rf $(REPORTS) && mkdir -p $(REPORTS)
	$(SANITIZE_ENV) $(SANITIZE)/bin/python -P -m pytest -q tests/sanitize  # do they see deliberate errors?
	$(SANITIZE_ENV) $(SANITIZE)/bin/python -P -m pytest -q --capture=sys $(SANITIZE_TESTS) --timeout=900 \
	  --numprocesses=$(or $(WORKERS),auto) --durations=10; \
	  status=$$?; cat $(REPORTS)/* 2>/dev/null; test $$status -eq 0 -a -z "$$(ls $(REPORTS))"

ifneq ($(VENV),$(SANITIZE))  # else this Makefile was called by the rule below, for the environment alone
$(SANITIZE)/installed: $(SOURCES) tests/sanitize/faults.pyx
	$(MAKE) VENV=$(SANITIZE) EXTRAS= $(SANITIZE)/build-tools $(SANITIZE)/extra-dev
	PATH="$(CURDIR)/$(SANITIZE)/bin:$$PATH" $(SANITIZE)/bin/python -m pip --disable-pip-version-check --quiet install --no-build-isolation . \
	  -C build-dir=build/sanitize -C cmake.define.SEATMATE_SANITIZE=ON -C install.strip=false
	@touch $@
endif

clean:  ## remove everything that was made
	rm -rf $(VENV) $(SANITIZE) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .benchmarks

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Seatmate needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

# pip builds in the environment itself and not in a throw-away one of another path each time, for which everything would be built again.
$(VENV)/build-tools: pyproject.toml | $(BIN)/python
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], "cmake>=3.25", "ninja", sep="\n")' > $(VENV)/build-requirements.txt
	@echo "Installing the build tools ..."
	$(PIP) install -r $(VENV)/build-requirements.txt
	@touch $@

# Progress is what ninja says, on one line at a terminal, else now and then; the whole output is kept.
$(VENV)/installed: $(SOURCES) | $(VENV)/build-tools
	@echo "Building Seatmate. The first time this takes some minutes, later only what has changed is built again."
	@{ PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip --disable-pip-version-check install --verbose --no-build-isolation . 2>&1; \
	    echo $$? > $(VENV)/install-status; } | tee $(VENV)/install.log | awk -v terminal=$$(test -t 1 && echo 1 || echo 0) ' \
	  match($$0, /\[[0-9]+\/[0-9]+\]/) { \
	    split(substr($$0, RSTART + 1, RLENGTH - 2), step, "/"); \
	    if (terminal) printf "\r  step %d of %d ", step[1], step[2]; \
	    else if (step[1] % 20 == 0 || step[1] == step[2]) printf "  step %d of %d\n", step[1], step[2]; \
	    fflush() } \
	  END { if (terminal) print "" }'
	@test "$$(cat $(VENV)/install-status)" = 0 || { tail -n 60 $(VENV)/install.log; \
	  echo "The build failed; the whole output is in $(VENV)/install.log" >&2; exit 1; }
	@touch $@

# What an extra of pyproject.toml needs: packages only, so nothing is built again.
$(VENV)/extra-%: pyproject.toml | $(BIN)/python
	@$(BIN)/python -c 'import sys, tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"][sys.argv[1]], sep="\n")' $* > $(VENV)/$*-requirements.txt
	@echo "Installing what '$*' needs ..."
	$(PIP) install -r $(VENV)/$*-requirements.txt
	@touch $@
