# The whole of Seatmate in a few commands; `make help` lists them.
# Needs Python 3.11 or newer with venv, a C compiler and make; everything else comes from PyPI into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Optional extras of pyproject.toml that are installed and tested, too: make test EXTRAS=adapters
EXTRAS ?=
TOOLS  := $(VENV)/tools$(addprefix -,$(EXTRAS))

# Everything the package is built from; the folders are in the list so that a removed file counts as a change.
SOURCES := pyproject.toml CMakeLists.txt README.md \
           $(shell find engine ai server proto \( -name __pycache__ -prune \) -o -print)

.DEFAULT_GOAL := help
.PHONY: help run install dev test lint types imports protos pytest bench golden clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

run: $(VENV)/installed  ## build, start a real server, and play a game of Hyde against bots
	@$(BIN)/seatmate demo

install: $(VENV)/installed  ## build and install into .venv

dev: $(VENV)/installed $(TOOLS)

test: lint types imports protos pytest  ## everything: lint, types, import rules, proto lint, all tests

lint: $(TOOLS)
	$(BIN)/ruff check .
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint engine ai

types: dev  # the link tree build/tree, made by the build, is what mypy reads
	$(BIN)/mypy
	$(BIN)/mypy tests benches

imports: dev
	$(BIN)/lint-imports --no-logo

protos: $(TOOLS)
	$(BIN)/buf lint

pytest: dev
	$(BIN)/pytest -m timing || test $$? -eq 5  # 5: there are none
	$(BIN)/pytest -m "not timing" --numprocesses=$(or $(WORKERS),auto)

bench: dev  ## measure playouts, search and the service (pytest-benchmark)
	$(BIN)/pytest benches --benchmark-only --benchmark-columns=median,iqr,ops,rounds --benchmark-sort=name

golden: dev  ## write the golden playthroughs and search signatures again; review them as a diff
	$(BIN)/python tests/conformance/golden.py

clean:  ## remove everything that was made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .benchmarks

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Seatmate needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(SOURCES) | $(BIN)/python
	$(PIP) install .
	@touch $@

$(TOOLS): pyproject.toml | $(BIN)/python
	@$(BIN)/python -c 'import tomllib; extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; print(*[need for extra in "dev $(EXTRAS)".replace(",", " ").split() for need in extras[extra]], sep="\n")' > $(VENV)/dev-requirements.txt
	$(PIP) install -r $(VENV)/dev-requirements.txt
	@touch $@
