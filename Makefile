# The commands of a working day. `make` alone lists them; scripts/ holds what they call.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup setup-window setup-test image build ui programs app demo test test-code test-package test-local-model types lint \
	eval bench score-reading fuzz package clean

target := $(or $(CARGO_TARGET_DIR),target)
release := $(target)/release
screen := $(or $(DISPLAY),$(WAYLAND_DISPLAY),$(filter Darwin,$(shell uname)))
# The package that was made last, found when a command runs.
deb = "$$(ls -t $(abspath $(release))/bundle/deb/*.deb | head -n 1)"
sample := src-tauri/crates/engine/sample/building_energy.csv
request := Find unusual energy use and explain it

help: ## List these commands
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 22

setup: ## Install what is missing (Debian packages; elsewhere it names them)
	@scripts/setup

setup-window: ## Install what is missing for the desktop app too
	@scripts/setup --window

setup-test: ## Install what is missing for the tests too
	@scripts/setup --test

image: setup ## Make the sandbox image, if it is missing or its recipe changed
	@scripts/engine start
	@scripts/image

build: setup ## Build the command line program, optimised
	cargo build --release -p assay-cli

ui: setup-window ## Build the interface into ui/dist, when its sources changed
	@scripts/ui

# The app carries the interface. What the programs share is compiled once when they are built together.
programs: ui
	cargo build --release --features assay-desktop/custom-protocol -p assay-desktop -p assay-cli

app: image programs ## Build and open the desktop app
	$(release)/assay-desktop

demo: image $(if $(screen),programs,build) ## Analyse the sample: a report, a chart and a table in demo-output/
	@rm -rf demo-output
	$(release)/assay run $(sample) --ask "$(request)" --out demo-output
	@echo "The demo left:"
	@find "$(CURDIR)/demo-output" \( -name report.md -o -name '*.png' -o -name anomalies.csv \) | sort | sed 's/^/  /'
	@if [ -n "$(screen)" ]; then \
		echo "Opening the app on it."; \
		(nohup $(release)/assay-desktop --open latest >/dev/null 2>&1 &); \
	fi

test: test-code test-package ## Run every test: units, the real engine, the interface, the real window, the package

test-code: setup-test image ui
	npm --prefix ui test
	@if command -v cargo-nextest >/dev/null; then \
		set -x; cargo nextest run --workspace --no-fail-fast; \
	else \
		set -x; cargo test --workspace --no-fail-fast --lib --bins --tests; \
	fi

test-package: setup-test package ## Install the .deb in a system of its own, open it there, remove it again
	@scripts/try-package $(deb)

types: ui ## Write the interface's types anew, from the shell's own
	ASSAY_WRITE_TYPES=1 cargo test -p assay-desktop wire_types

lint: ui ## Check format, lints, licences and unused dependencies
	npm --prefix ui run lint
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	@scripts/cargo-tool cargo-deny 0.20.2
	cargo deny --log-level error check bans licenses sources
	@scripts/cargo-tool cargo-machete 0.9.2
	cargo machete

test-local-model: image ## Test against a small real model on this computer (fetches 1.2 GB; not part of `make test`)
	scripts/local-model run cargo test -p assay-model -p assay-tests --test local_model --test local_model_flow

eval: image build ## Ask a small real model the public questions of DA-Bench and write EVALUATION.md (an hour)
	scripts/local-model run scripts/eval --into EVALUATION.md

score-reading: ## Score the reader of tables on public files of damaged tables (see READING.md)
	scripts/score-reading

fuzz: ## Feed damaged and made-up files to the readers for a minute each
	scripts/fuzz

bench: image setup-test ui ## Measure the sandbox against the plain engine, and the window against an empty one
	cargo bench -p assay-report
	cargo bench -p assay-tests
	cargo bench -p assay-desktop --features custom-protocol --bench window

package: programs ## Make an installable .deb
	@ui/node_modules/.bin/tauri bundle --bundles deb >$(release)/package.log 2>&1 || { cat $(release)/package.log; exit 1; }
	@echo "The package is made. Install it with:  sudo apt install" $(deb)

clean: ## Remove what builds and the demo made; the sandbox image stays
	cargo clean
	rm -rf demo-output ui/dist
