# The commands of the house. `make` alone lists them.

CARGO ?= cargo
BASTIDE = target/release/bastide

# The tests that run on both databases: all of the server's, and those of the program that serves.
ON_POSTGRES = $(patsubst crates/server/tests/%.rs,--test %,$(wildcard crates/server/tests/*.rs)) \
	$(patsubst crates/server/tests/%/main.rs,--test %,$(wildcard crates/server/tests/*/main.rs)) \
	--test serve --test api_document --test kill

.DEFAULT_GOAL := help
.PHONY: help serve page test test-long lint bench bench-instructions release

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-20s %s\n", $$1, $$2}'

serve: page release ## Build the page and the program, and start the server
	$(BASTIDE) serve

test: page lint ## Run all checks: format, lints, tests; the server's on PostgreSQL too
	@scripts/need curl
	$(CARGO) test --workspace --locked
	scripts/with-postgres $(CARGO) test --workspace --locked $(ON_POSTGRES)

test-long: page lint ## Run all checks and the long tests too
	@scripts/need curl
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

# The page is part of the program. It is built again when one of its files is newer than it;
# touching the build script makes cargo look at the page again.
page:
ifneq ($(wildcard web/package.json),)
page: web/dist/index.html
web/dist/index.html: web/package.json $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' 2>/dev/null)
	@scripts/need npm
	cd web && npm ci --no-audit --no-fund && npm run build
	@touch crates/server/build.rs web/dist/index.html
endif

release:
	@scripts/need cargo cc
	$(CARGO) build --release --locked --package bastide
