# Project commands. `make` alone lists them.

CARGO ?= cargo
PROGRAM = target/release/bastide
PAGE_MARK = web/.page-is-being-built
# What the engine in the page is made of; its mark is there without WebAssembly too.
ENGINE = web/.engine-built
ENGINE_SOURCES = Cargo.lock Cargo.toml scripts/wasm $(shell find crates/game crates/carcassonne crates/search crates/bots \
	crates/wasm -type f \( -path '*/src/*' -o -name '*.net' -o -name '*.csv' -o -name Cargo.toml \) 2>/dev/null)

# The tests that run on both databases: all of the server's, and those of the program that serves.
# They are named, not chosen by crate: with another choice of crates cargo would build the
# dependencies a second time, for other features.
ON_POSTGRES = $(patsubst crates/server/tests/%.rs,--test %,$(wildcard crates/server/tests/*.rs)) \
	$(patsubst crates/server/tests/%/main.rs,--test %,$(wildcard crates/server/tests/*/main.rs)) \
	--test serve --test api_document --test kill --test cluster

# What those who play do without, as gRPC (docs/grpc.md); containers and releases are built with everything.
FEATURES ?= --no-default-features

# target/debug/bastide as the tests build it; a plain build would compile the dependencies again,
# without the features that only tests ask for.
BUILD_FOR_TESTS = $(CARGO) test --workspace --locked --no-run --test serve

# The server's tests wait more than they compute: two for each core.
export RUST_TEST_THREADS ?= $(shell expr 2 \* $$(nproc 2>/dev/null || echo 2))

.DEFAULT_GOAL := help
.PHONY: help serve cluster first-build web dev page test test-web walk screenshots test-long test-api test-deploy lint format release
.PHONY: test-kills fuzz-rules mutants bench bench-instructions bench-sets bench-python test-python test-integrations test-pythons wheels

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-20s %s\n", $$1, $$2}'

serve: $(if $(wildcard $(PROGRAM)),page release,first-build) ## Build the page and the program, and start the server
	$(PROGRAM) serve

cluster: page ## Run three servers, workers, PostgreSQL, NATS and a proxy on this machine
	@if [ -z "$$BASTIDE" ]; then $(MAKE) --no-print-directory release FEATURES=; fi
	@scripts/cluster

web: page ## Build the page alone

dev: web/node_modules/.package-lock.json ## Start the server and the page beside it, which reloads on every change
	@scripts/need npm cargo cc
	$(CARGO) build --workspace --locked --bin bastide
	target/debug/bastide serve --listen 127.0.0.1:8080 & server=$$!; \
	trap 'kill $$server' EXIT; cd web && npm run dev

test: page lint ## Run all checks: format, lints, tests; the server's on PostgreSQL too
	@scripts/need curl
	$(CARGO) test --workspace --locked
	@scripts/need nats-server openssl || echo "Without nats-server the tests of nodes run without NATS." >&2
	scripts/with-postgres $(CARGO) test --workspace --locked $(ON_POSTGRES)
	scripts/python-test
	$(MAKE) test-web

test-python: ## Run the Python package's tests alone, through a built wheel
	scripts/python-test

test-integrations: ## Try the Python package with large libraries: SB3, Ray, OpenSpiel, pgx
	$(BUILD_FOR_TESTS)
	INTEGRATIONS=1 scripts/python-test

wheels: ## Build the Python package into target/wheels: a manylinux wheel and the source package
	scripts/python-wheels

test-pythons: ## Run the Python package's tests on every Python from 3.10 to 3.13 that is here, through the wheel
	scripts/python-wheels
	scripts/python-versions

bench-python: ## Measure the Python package beside other libraries
	scripts/python-bench

test-long: page lint ## Run what make test leaves out: long Rust tests optimised, the fuzzed API, proxies
	@scripts/need curl
	$(CARGO) test --workspace --locked --release -- --include-ignored
	$(MAKE) test-api test-deploy

test-kills: ## Play 1,000 games on three nodes for 20 minutes, with a kill every 30 seconds; GAMES, MINUTES, EVERY, RATE, SEED
	@scripts/need nats-server
	@if [ -z "$$BASTIDE" ]; then $(MAKE) --no-print-directory release FEATURES=; fi
	ulimit -n 8192; BASTIDE=$${BASTIDE:-$(CURDIR)/$(PROGRAM)} scripts/with-postgres \
		$(CARGO) test --workspace --locked --test cluster -- --ignored --nocapture kills

fuzz-rules: ## Compare the rules with the simple ones over ten million random moves (an hour); ORACLE_SKIP=N leaves out the first N games
	ORACLE_MOVES=10000000 $(CARGO) test --workspace --locked --test oracle -- \
		--ignored --nocapture so_many_moves_of_random_setups

test-api: ## Fuzz the API from its own document, with Schemathesis
	$(BUILD_FOR_TESTS)
	scripts/fuzz-api

test-deploy: ## Try the sample files with Caddy, nginx, Prometheus, and several nodes behind HAProxy
	@scripts/need python3 openssl
	$(BUILD_FOR_TESTS)
	scripts/try-proxies
	scripts/try-metrics
	scripts/try-cluster

mutants: ## List changes of the code that no test notices (hours): scripts/mutants for a part
	scripts/mutants

lint: web/node_modules/.package-lock.json ## Check the format and the lints, of the page too
	@scripts/need cargo cc
	$(CARGO) fmt --all --check
	cd web && npm run lint
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

format: web/node_modules/.package-lock.json ## Format everything
	$(CARGO) fmt --all
	cd web && npm run format

test-web: page ## Check the page: types, tests, sizes, and whole games in headless Chromium
	@scripts/need npm chromium cargo cc
	$(BUILD_FOR_TESTS)
	cd web && npm run check && npm test && npm run sizes && npm run e2e

walk: page ## Walk the whole site in headless Chromium, and play whole games with all sets (half an hour)
	@scripts/need npm chromium cargo cc
	$(BUILD_FOR_TESTS)
	cd web && npm run walk

screenshots: page ## Take pictures of every page; one of them is the README's
	@scripts/need npm chromium cargo cc
	$(BUILD_FOR_TESTS)
	cd web && npm run screenshots

bench: release ## Measure rules and searches: signature, games a second, costs
	$(PROGRAM) bench

bench-instructions: release ## Count the instructions of a random game, with valgrind
	@scripts/need valgrind
	scripts/bench-instructions $(PROGRAM)

bench-sets: ## Measure the rules without and with sets: instructions, games a second, sizes
	@scripts/need valgrind
	scripts/bench-sets

# The page is part of the program. It is built again when one of its files is newer than it;
# touching the build script makes cargo look at the page again.
page:
ifneq ($(wildcard web/package.json),)
page: web/dist/index.html
web/dist/index.html: web/package.json $(ENGINE) $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' -not -path 'web/src/engine/built/*' 2>/dev/null) \
		| web/node_modules/.package-lock.json
	@cd web && ../scripts/timed page "the first build takes about ten seconds." npm run build
	@if [ -e $(PAGE_MARK) ]; then find web/dist $(ENGINE) -exec touch -r $(PAGE_MARK) {} +; \
	else touch crates/server/build.rs web/dist/index.html; fi
endif

# The engine for the page, where the compiler has WebAssembly.
$(ENGINE): $(ENGINE_SOURCES)
	@scripts/timed engine "the first build takes about half a minute." scripts/wasm
	@touch $@

# The page's packages, installed again when the list of them is newer.
web/node_modules/.package-lock.json: web/package-lock.json
	@scripts/need npm
	cd web && npm ci --no-audit --no-fund
	@touch $@

# The page and the program side by side: while the mark is there, the server's build script waits.
# The page is then dated as its mark, before cargo's start, or the next build would take it for a
# change. Later builds go one after the other, because cargo looks at the page when it starts.
first-build:
	@scripts/need npm cargo cc
	@touch $(PAGE_MARK); trap 'rm -f $(PAGE_MARK)' EXIT; \
	( $(MAKE) --no-print-directory page; status=$$?; rm -f $(PAGE_MARK); exit $$status ) & page=$$!; \
	$(MAKE) --no-print-directory release; program=$$?; wait $$page && exit $$program

release:
	@scripts/need cargo cc
	@scripts/timed program "the first build takes six to eight minutes on two cores." \
		$(CARGO) build --release --locked --package bastide $(FEATURES)
