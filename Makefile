# The one list of commands. `make help` prints it; what stands after ## is what it says.
#
# Each command sets up what it needs first, and only what changed since: a stamp file in an environment tells
# what was installed there and when. Nothing is installed outside this folder.
#
#   make test ARGS="-k hinge -x"     hands ARGS on to what is run
#   make test WORKERS=0              plays the tests in one process, one after the other (auto: one a core)
#   make test PYTHON=python3.12      makes the environments with another Python (3.11 or newer)

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory --no-builtin-rules

PYTHON ?= python3
ARGS ?=
WORKERS ?= auto
UV := uv==0.13.8

BIN := .venv/bin
CORE := $(shell find src/regretful -name '*.pyx' -o -name '*.pxd' -o -name '*.h')
SOURCES := $(shell find src/regretful -name '*.py' -o -name '*.pyi' -o -name py.typed)
CHECKED := build/checked
SANITIZED = LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so.6)" \
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:log_path=$(CURDIR)/$(CHECKED)/report \
  UBSAN_OPTIONS=print_stacktrace=1:log_path=$(CURDIR)/$(CHECKED)/report \
  PYTHONMALLOC=malloc ARROW_DEFAULT_MEMORY_POOL=system REGRETFUL_CHECKS=1 PYTHONPATH="$(CURDIR)/$(CHECKED)/lib"
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadgroup

# pip installs what a lock file says, with its hashes, and says nothing unless it fails.
LOCKED := install -qq --disable-pip-version-check --require-hashes
FORCE = $(if $(filter setup.py,$?),--force)
say = @printf '· %s\n' "$(1)"

##@ Use

.PHONY: help
help: ## print this list
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z][a-z-]*:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

.PHONY: demo
demo: .venv/.core ## generate a click log of 1,000,000 rounds, play a learner on it, and write a report
	$(call say,demo)
	@$(BIN)/regretful demo build/demo $(ARGS)

.PHONY: bench
bench: .venv/.core .venv-bench/.peers ## measure speed and memory against the peers, in one run
	$(call say,benchmarks)
	@PYTHONPATH=src .venv-bench/bin/python -m benchmarks $(ARGS)

##@ Check

.PHONY: test
test: .venv/.core ## run every test
	$(call say,tests)
	@$(PYTEST) $(ARGS)

.PHONY: checked
checked: $(CHECKED)/.built ## run the same tests on a build with bounds checks and the address sanitizer
	$(call say,tests on the checked build)
	@rm -f $(CHECKED)/report.*
	@$(SANITIZED) $(PYTEST) -m "not packaging" $(ARGS) \
	  || { cat $(CHECKED)/report.* 2>/dev/null; exit 1; }

COUNT ?= 1000000

.PHONY: fuzz
fuzz: $(CHECKED)/.built ## read mutated inputs of all formats on the checked build (COUNT=1000000 a format; ARGS="csv vw")
	$(call say,fuzzing on the checked build)
	@rm -f $(CHECKED)/report.*
	@$(SANITIZED) $(BIN)/python -m tests.readers.fuzz --count $(COUNT) $(ARGS) \
	  || { cat $(CHECKED)/report.* 2>/dev/null; exit 1; }

.PHONY: lint
lint: .venv/.core ## check style, types, stubs and the order of the house
	$(call say,ruff: style)
	@$(BIN)/ruff check --quiet
	$(call say,ruff: format)
	@$(BIN)/ruff format --quiet --check || { $(BIN)/ruff format --check; echo "'make format' puts that right."; exit 1; }
	$(call say,cython-lint)
	@PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint src
	$(call say,mypy: types)
	@$(BIN)/mypy
	$(call say,stubtest: the stubs of the compiled modules)
	@stubs="$$(find src/regretful -name '*.pyi' | sed 's|^src/||; s|\.pyi$$||; s|/__init__$$||; s|/|.|g' | sort)"; \
	  if [ -n "$$stubs" ]; then $(BIN)/python -m mypy.stubtest $$stubs --concise --ignore-disjoint-bases --mypy-config-file pyproject.toml \
	    --allowlist tests/project/stubtest-allowlist.txt --ignore-unused-allowlist; \
	  else echo "no stubs yet"; fi
	$(call say,import-linter: the house)
	@$(BIN)/lint-imports --no-logo --no-cache > build/house.log || { cat build/house.log; exit 1; }

.PHONY: format
format: .venv/.dev ## put style and format right, where a tool can
	$(call say,ruff)
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format

##@ Keep

.PHONY: docs
docs: .venv/.core ## write docs/reference.md, docs/cli.md and docs/theorems.md again; ARGS=--texts plays no theorem
	$(call say,docs/reference.md)
	@$(BIN)/python docs/make_reference.py
	$(call say,docs/cli.md)
	@$(BIN)/python docs/make_cli.py
	$(call say,docs/theorems.md: every theorem is played (a few minutes))
	@$(BIN)/python docs/make_theorems.py $(ARGS)

.PHONY: dist
dist: .venv/.core ## build the sdist and the wheel into dist/
	$(call say,sdist and wheel)
	@rm -rf dist; mkdir -p build
	@$(BIN)/python -m build --no-isolation --outdir dist > build/dist.log 2>&1 || { cat build/dist.log; exit 1; }
	@ls -l dist | awk 'NF > 8 { printf "  dist/%s  %d kB\n", $$9, $$5 / 1024 }'

.PHONY: lock
lock: .venv-lock/.uv ## write requirements/*.txt again from *.in (newest versions: ARGS=--upgrade)
	@for name in dev bench; do printf '· requirements/%s.txt\n' $$name; \
	  .venv-lock/bin/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 $(ARGS) \
	    --custom-compile-command "make lock" --no-emit-index-url --no-emit-find-links \
	    pyproject.toml requirements/$$name.in --output-file requirements/$$name.txt; done

.PHONY: clean
clean: ## remove what was built, and the tools' caches
	@rm -rf build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .venv/.core
	@find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +
	@find src \( -name '*.so' -o -name '*.c' \) -delete

.PHONY: pristine
pristine: clean ## clean, and remove the environments too
	@rm -rf .venv .venv-bench .venv-lock

# ------------------------------------------------------------------------------------------ setting up

# $(1) is the environment. One that broke off half-way is made anew.
define environment
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "regretful needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1 || true)."; \
	  echo "With another one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(1) || { \
	  echo "$(PYTHON) could not make an environment: on Debian and Ubuntu, install python3-venv."; exit 1; }
	@touch $(1)/.python
endef

.venv/.python:
	$(call say,environment .venv)
	$(call environment,.venv)

.venv/.dev: requirements/dev.txt | .venv/.python
	$(call say,development packages (pinned; about half a minute the first time))
	@$(BIN)/python -m pip $(LOCKED) -r $<
	@touch $@

# The package without its core: what it is called, its version, its commands, and where it lies.
.venv/.project: pyproject.toml .venv/.dev
	$(call say,regretful (editable))
	@REGRETFUL_CORE=0 $(BIN)/python -m pip install -qq --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

.venv/.core: $(CORE) setup.py .venv/.project
	$(call say,compiled core)
	@command -v gcc >/dev/null || command -v cc >/dev/null || { echo "regretful needs a C compiler (gcc)."; exit 1; }
	@$(BIN)/python setup.py -q build_ext --inplace $(FORCE)
	@touch $@

$(CHECKED)/.built: $(CORE) $(SOURCES) setup.py .venv/.project
	$(call say,compiled core with bounds checks and sanitizers)
	@mkdir -p $(CHECKED)
	@find $(CHECKED) -name '*.py*' -path '*/lib/*' -delete
	@REGRETFUL_CHECKS=1 $(BIN)/python setup.py -q build --build-base $(CHECKED) --build-lib $(CHECKED)/lib $(FORCE) \
	  > $(CHECKED)/log 2>&1 || { cat $(CHECKED)/log; exit 1; }
	@touch $@

.venv-bench/.python:
	$(call say,environment .venv-bench)
	$(call environment,.venv-bench)

.venv-bench/.peers: requirements/bench.txt | .venv-bench/.python
	$(call say,the peers (pinned; about half a minute the first time))
	@.venv-bench/bin/python -m pip $(LOCKED) -r $<
	@touch $@

.venv-lock/.uv:
	$(call say,environment .venv-lock)
	$(call environment,.venv-lock)
	@.venv-lock/bin/python -m pip install -qq --disable-pip-version-check $(UV)
	@touch $@
