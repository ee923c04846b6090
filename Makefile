# The commands of a working day. `make` alone lists them; scripts/ holds what they call.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup image build demo test lint bench clean

target := $(or $(CARGO_TARGET_DIR),target)
sample := src-tauri/crates/engine/sample/building_energy.csv
request := Find unusual energy use and explain it

help: ## List these commands
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 16

setup: ## Install what is missing (Debian packages; elsewhere it names them)
	@scripts/setup

image: setup ## Make the sandbox image, if it is missing or its recipe changed
	@scripts/engine start
	@scripts/image

build: setup ## Build the command line program, optimised
	cargo build --release -p assay-cli

demo: image build ## Analyse the sample: a report, a chart and a table in demo-output/
	@rm -rf demo-output
	$(target)/release/assay run $(sample) --ask "$(request)" --out demo-output
	@echo "The demo left:"
	@find "$(CURDIR)/demo-output" \( -name report.md -o -name '*.png' -o -name anomalies.csv \) | sort | sed 's/^/  /'

test: image ## Run every test, those against the real engine too
	@if command -v cargo-nextest >/dev/null; then \
		set -x; cargo nextest run --workspace --no-fail-fast; \
	else \
		set -x; cargo test --workspace --no-fail-fast --lib --bins --tests; \
	fi

lint: setup ## Check format, lints, licences and unused dependencies
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	@scripts/cargo-tool cargo-deny 0.20.2
	cargo deny --log-level error check bans licenses sources
	@scripts/cargo-tool cargo-machete 0.9.2
	cargo machete

bench: image ## Measure the sandbox against the plain engine
	cargo bench -p assay-tests

clean: ## Remove what builds and the demo made; the sandbox image stays
	cargo clean
	rm -rf demo-output
