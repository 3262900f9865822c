# Two commands matter: `make run` starts everything on this machine, `make test` checks everything.

.DEFAULT_GOAL := help
PYTHON3 ?= python3
VENV := .venv/bin
CODE := manage.py accounts activity benchmarks bots config core engine guides kit packages scripts tables tests tournaments web

.PHONY: help setup run demo-reset test test-thorough test-slow coverage mutants lint fmt types check dist bench clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 16

setup: ## Create .venv and install everything, test tools too
	@$(PYTHON3) scripts/bootstrap.py --dev

run: ## Start Hanami with its demo leagues and print the address (Ctrl-C stops all of it)
	@$(PYTHON3) scripts/run

demo-reset: ## Forget all local data; the next `make run` starts over
	@$(PYTHON3) scripts/run --reset

test: ## Lint, types, import contracts and the quick tests, on servers of their own
	@$(PYTHON3) scripts/test

test-thorough: ## The tests that take half a second or longer; CI runs them after `make test`
	@$(PYTHON3) scripts/test --thorough

test-slow: ## All tests that `make test` leaves out, those that take minutes too
	@$(PYTHON3) scripts/test --slow

coverage: setup ## Lines and branches of engine/ that its tests reach; fails under 98 %
	@$(VENV)/python -m tests.engine.covered

mutants: setup ## How many mutants of engine/games the tests kill (goes on where it stopped; FRESH=1 starts over)
	@$(VENV)/python -m tests.engine.mutation $(if $(FRESH),--fresh)

lint: setup ## Style and import contracts
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/lint-imports --no-logo
	$(VENV)/djlint --lint --quiet templates

fmt: setup ## Rewrite the code in the house's format
	$(VENV)/ruff check --fix .
	$(VENV)/ruff format .

types: setup ## mypy, strict
	$(VENV)/mypy

check: lint types ## What `make test` checks besides the tests
	$(VENV)/python manage.py makemigrations --check --dry-run

dist: setup ## Build the packages hanafuda and hanami-kit into dist/ (make run and the image do so for /kit/)
	@$(VENV)/python -m scripts.distributions

bench: setup ## Every speed claim, measured here and now
	@$(VENV)/python scripts/compile_engine.py
	@for file in benchmarks/*.py; do case $$file in */__init__.py) ;; *) \
	  echo "== $$file"; $(VENV)/python -m "$$(echo "$${file%.py}" | tr / .)" || exit 1 ;; esac; done

clean: ## Remove what can be made again (keeps the data in var/)
	rm -rf .venv .venv.lock .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
