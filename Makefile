# The front door: each target is one line here and a script in scripts/.

MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
TIME ?= 60

.DEFAULT_GOAL := build
.PHONY: build tuned demo test soak bench fuzz format tidy golden rebase-golden docs debug asan install deps clean help

build: ## Build build/fathom (the default)
	@scripts/build release fathom

tuned: ## Build build-tuned/fathom: faster, and three times as long to build
	@scripts/build-tuned

demo: ## Install what is missing, build, and show what Fathom does
	@scripts/install-packages build otp
	@scripts/build release fathom
	@scripts/demo

test: ## Install what is missing, build, and run every check and test
	@scripts/install-packages
	@scripts/test

soak: ## What takes longer than make test may: make soak SEED=1001 MINUTES=10
	@scripts/install-packages
	@scripts/soak

bench: build ## Build and run the benchmarks; of another build: make bench FATHOM=build-tuned/fathom
	@bench/run

fuzz: ## Fuzz each target for TIME seconds (60): make fuzz TIME=600
	@scripts/install-packages build test
	@scripts/fuzz $(TIME)

format: ## Format the C++ sources in place
	@scripts/check-format --fix

tidy: ## Check the C++ sources that have changed with clang-tidy
	@scripts/check-tidy

golden: build ## Run the golden tests
	@scripts/golden

rebase-golden: build ## Rewrite what the golden tests expect
	@scripts/golden --rebase

docs: build ## Write docs/bifs.md anew, from the machine's tables
	@scripts/bifs-page > docs/bifs.md.new && mv docs/bifs.md.new docs/bifs.md

debug: ## Build build-debug/: assertions, no optimisation
	@scripts/build debug

asan: ## Build build-asan/: sanitizers, and the fuzz targets (clang)
	@scripts/build asan

install: build ## Install under PREFIX (/usr/local)
	@cmake --install build --prefix "$(PREFIX)"

deps: ## Install the Debian packages of packages.txt that are missing
	@scripts/install-packages

clean: ## Remove everything that was built
	rm -rf build build-tuned build-debug build-asan

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | \
	  while IFS="$$(printf '\t')" read -r name text; do printf '  make %-14s %s\n' "$$name" "$$text"; done
