# make reproduce    the papers, from the raw files to the pages (CORES=N to use N cores; STUDIES=all
#                   or beyond,labels: the studies of validation)
# make verify       how many results of that run equal the published ones, and why others do not (ALL=1
#                   names the equal ones, too)
# make test         the tests (CORES=N, too)
# make findings     fill the numbers in the text of pages, those of runs from RESULTS= (by default results)
# make test-python  kernels against their twins without compiling them, their places checked
# make digests      renew tests/digests, see "When numbers change" in CONTRIBUTING.md
# make published    renew tests/digests/default.json, with which make verify compares
# make docs         the documentation as HTML in build/docs/html, without any network (RESULTS= a folder
#                   with a tiny run that is there)
# make check        formatters, linters and types, as in continuous integration
# make dist         wheel and source distribution in dist/, checked; see "A release" in CONTRIBUTING.md
# make format       put the sources into the house style
# make clean        remove results and figures; clean-all also downloads and the environment
#
# Both main targets set up a private environment in .venv first. They need Python 3.11 or
# later (PYTHON=... to choose one), make, and a package index; nothing else.

PYTHON ?= python3
CORES ?= $(shell $(PYTHON) -c "import os; print(os.cpu_count() or 1)")
BIN := .venv/bin
STUDIES ?=
ALL ?=
PAGES := results/index.html

.DELETE_ON_ERROR:

# Each job of a run is a process of its own: without kept bytecode it parses the package anew, which
# is a sixth of what a small run takes, and half of what finding the tests does.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: reproduce verify test test-python digests published findings docs check \
  dist format clean clean-all

reproduce: .venv/installed
	$(BIN)/snakemake --cores $(CORES) $(if $(STUDIES),--config 'studies=[$(STUDIES)]')
	@echo
	@echo "Done. Open $(CURDIR)/$(PAGES)"

verify: .venv/installed
	$(BIN)/python -m streameval.pipeline.verify results --published tests/digests/default.json \
	  $(if $(ALL),--all)

test: .venv/installed-test
	$(BIN)/pytest --numprocesses $(CORES) --dist loadfile --no-loadscope-reorder

# Detectors, measures and what kernels stand on. Learners in plain Python take hours.
test-python: .venv/installed-test
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest tests/compiled tests/detectors tests/measures

# In a folder of its own, anew: results of other runs are neither taken nor touched.
digests: .venv/installed-test
	rm -rf build/tiny
	env -u STREAMEVAL_DATA $(BIN)/snakemake --cores $(CORES) --quiet progress rules \
	  --configfile $(CURDIR)/config/test.yaml --directory build/tiny
	cp build/tiny/results/digests.json tests/digests/tiny.json
	git diff --stat -- tests/digests

# In a folder of its own, anew; raw files are taken from the folder of STREAMEVAL_DATA, if it is set.
published: .venv/installed
	rm -rf build/default
	$(BIN)/snakemake --cores $(CORES) --quiet progress rules --directory build/default
	$(BIN)/python -m streameval.pipeline.verify build/default/results \
	  --write tests/digests/default.json
	git diff --stat -- tests/digests

# Numbers that need a run, or a run of all studies, stay as last computed without one.
findings: RESULTS ?= $(patsubst %/digests.json,%,$(wildcard results/digests.json))
findings: .venv/installed-test
	PYTHONPATH=docs:validation $(BIN)/python -m findings $(RESULTS)

# The gallery is that of a tiny run in a folder of its own, which only the first time takes minutes.
docs: .venv/installed-docs
	env -u STREAMEVAL_DATA $(BIN)/python docs/site/make.py build/docs --cores $(CORES) \
	  $(if $(RESULTS),--results $(RESULTS))
	@echo "Done. The documentation: $(CURDIR)/build/docs/html/index.html"

check: .venv/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

# The same bytes from the same commit, wherever and whenever; other files would travel, too.
dist: .venv/installed-test build/release/installed
	@[ -z "$$(git status --porcelain)" ] || \
	  { echo "Expected a clean clone, found:"; git status --short; echo "Commit first."; exit 1; }
	rm -rf dist
	env -u SOURCE_DATE_EPOCH $(BIN)/python -m hatchling build --directory dist
	build/release/bin/twine check --strict dist/*
	build/release/bin/cffconvert --validate --infile CITATION.cff
	cd dist && sha256sum *

format: .venv/installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow

clean:
	find results figures logs -mindepth 1 -not -name README.md -delete
	rm -rf resources/streams resources/kernels src/streameval/__pycache__/kernels-*

clean-all: clean
	rm -rf .venv .snakemake resources/raw

# pip is the last that is made: without it the set-up was stopped, and begins anew.
.venv/bin/pip:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
	  { echo "Python 3.11 or later is needed, found: $$($(PYTHON) --version 2>&1)."; \
	    echo "Name another one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: requirements.txt pyproject.toml | .venv/bin/pip
	@echo "Installing the pinned packages into .venv (once, about a minute) ..."
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -r requirements.txt
	@$(BIN)/python -m compileall -qq -j 0 -x '/tests/' .venv/lib || true  # pip uses one core
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

.venv/installed-test: requirements-test.txt .venv/installed
	@echo "Installing the tools for the tests ..."
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-test.txt
	@touch $@

.venv/installed-docs: requirements-docs.txt .venv/installed
	@echo "Installing the tools for the documentation ..."
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	@touch $@

build/release/installed: requirements-release.txt
	$(PYTHON) -m venv build/release
	build/release/bin/pip install --quiet --disable-pip-version-check -r requirements-release.txt
	@touch $@
