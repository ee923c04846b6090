# The commands of a working day. `make` alone lists them; scripts/ holds what they call.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup setup-window image build ui app demo test types lint bench package clean

target := $(or $(CARGO_TARGET_DIR),target)
sample := src-tauri/crates/engine/sample/building_energy.csv
request := Find unusual energy use and explain it

help: ## List these commands
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 16

setup: ## Install what is missing (Debian packages; elsewhere it names them)
	@scripts/setup

setup-window: ## Install what is missing for the desktop app and its tests too
	@scripts/setup --window

image: setup ## Make the sandbox image, if it is missing or its recipe changed
	@scripts/engine start
	@scripts/image

build: setup ## Build the command line program, optimised
	cargo build --release -p assay-cli

ui: setup-window ## Build the interface into ui/dist, when its sources changed
	@scripts/ui

$(target)/release/assay-desktop: ui
	cargo build --release --features custom-protocol -p assay-desktop

app: image $(target)/release/assay-desktop ## Build and open the desktop app
	$(target)/release/assay-desktop

demo: image build ## Analyse the sample: a report, a chart and a table in demo-output/
	@rm -rf demo-output
	$(target)/release/assay run $(sample) --ask "$(request)" --out demo-output
	@echo "The demo left:"
	@find "$(CURDIR)/demo-output" \( -name report.md -o -name '*.png' -o -name anomalies.csv \) | sort | sed 's/^/  /'
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		$(MAKE) --no-print-directory $(target)/release/assay-desktop && \
		echo "Opening the app on it." && \
		(setsid $(target)/release/assay-desktop --open latest >/dev/null 2>&1 &); \
	fi

test: image ui ## Run every test: units, the real engine, the interface, the real window
	npm --prefix ui test
	@if command -v cargo-nextest >/dev/null; then \
		set -x; cargo nextest run --workspace --no-fail-fast; \
	else \
		set -x; cargo test --workspace --no-fail-fast --lib --bins --tests; \
	fi

types: ## Write the interface's types from the shell's
	@mkdir -p ui/src/api/generated
	ASSAY_WRITE_TYPES=1 cargo test -p assay-desktop --bins types_of_the_border

lint: ui ## Check format, lints, licences and unused dependencies
	npm --prefix ui run lint
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	@scripts/cargo-tool cargo-deny 0.20.2
	cargo deny --log-level error check bans licenses sources
	@scripts/cargo-tool cargo-machete 0.9.2
	cargo machete

bench: image ## Measure the sandbox against the plain engine
	cargo bench -p assay-tests

package: ui ## Make an installable .deb
	ui/node_modules/.bin/tauri build --bundles deb

clean: ## Remove what builds and the demo made; the sandbox image stays
	cargo clean
	rm -rf demo-output ui/dist
