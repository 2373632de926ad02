# The commands of the house. `make` alone lists them.

CARGO ?= cargo
BASTIDE = target/release/bastide

.DEFAULT_GOAL := help
.PHONY: help serve test test-long lint bench bench-instructions release
.PHONY: test-python test-integrations wheels bench-python

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-20s %s\n", $$1, $$2}'

serve: release ## Build Bastide and show what there is (there is no server yet)
	@echo
	@echo "There is no server to start yet. Bastide is built as $(BASTIDE); this is what it can do:"
	@echo
	@$(BASTIDE) --help
	@echo
	@$(BASTIDE) replay docs/examples/game.txt --ply 54

test: lint ## Run all checks: format, lints, tests
	$(CARGO) test --workspace --locked
	scripts/python-test

test-python: ## Run the Python package's tests alone, through a built wheel
	scripts/python-test

test-integrations: ## Try the Python package with large libraries: SB3, Ray, OpenSpiel, pgx
	INTEGRATIONS=1 scripts/python-test

wheels: ## Build the Python package's wheel into target/wheels
	scripts/python-wheels

bench-python: ## Measure the Python package beside other libraries
	scripts/python-bench

test-long: lint ## Run all checks and the long tests too
	$(CARGO) test --workspace --locked --release -- --include-ignored

lint: ## Check the format and the lints
	@scripts/need cargo cc
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

bench: release ## Measure the engine: signature, games a second, costs
	$(BASTIDE) bench

bench-instructions: release ## Count the instructions of a random game, with valgrind
	@scripts/need valgrind
	scripts/bench-instructions $(BASTIDE)

release:
	@scripts/need cargo cc
	$(CARGO) build --release --locked --package bastide
