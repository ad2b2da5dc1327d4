# What is done with this project, from a clean clone: `make help` lists it.
#
# All of build, test, check and run share one scratch path and one configuration, so that nothing is compiled twice.

SHELL := /bin/sh
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# A command that is built already, to be installed in place of a release build.
BIN ?=
# systemd looks here under /usr/local and /usr; under another prefix, name /etc/systemd/system.
SYSTEMDUNITDIR ?= $(PREFIX)/lib/systemd/system
SYSCONFDIR ?= /etc
BINDIR = $(DESTDIR)$(PREFIX)/bin
DOCDIR = $(DESTDIR)$(PREFIX)/share/doc/matinee
MANDIR = $(DESTDIR)$(PREFIX)/share/man/man1
BASHDIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSHDIR = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISHDIR = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
UNITS = matinee-sync.service matinee-sync.timer matinee-sync-every.service

# Where `make run` keeps its database; made anew each time.
RUN = .build/run
# A port that nothing listens on: tcpmux, which needs root and has been dead for decades.
REFUSING = http://127.0.0.1:1

export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 16

LINTED = $(wildcard Sources Tests Migrations Fixtures Examples Package.swift)

.PHONY: help
help: ## List what can be made
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | \
	  while IFS='|' read -r name text; do printf '%-21s %s\n' "$$name" "$$text"; done

.PHONY: run
run: toolchain libraries ## Sync a recorded week, show a day, cut the network, show it still
	$(SWIFT) build --product matinee
	@rm -rf $(RUN) && mkdir -p $(RUN)
	@matinee="$$($(SWIFT) build --show-bin-path)/matinee"; \
	unset $$(env | sed -n 's/^\(MATINEE_[A-Z_]*\)=.*/\1/p') KOBIS_API_KEY KOBIS_API_KEY_FILE CREDENTIALS_DIRECTORY; \
	echo '{}' > $(RUN)/config.json; \
	export MATINEE_DATABASE=$(RUN)/matinee.db MATINEE_CONFIG=$(RUN)/config.json; \
	say() { printf '\n\033[1m$$ %s\033[0m\n' "$$*"; }; \
	[ -t 1 ] && [ -z "$${NO_COLOR:-}" ] || say() { printf '\n$$ %s\n' "$$*"; }; \
	set -e; \
	say 'matinee sync --upstream recorded'; \
	"$$matinee" sync --upstream recorded; \
	say 'matinee show 2019-07-13 --upstream recorded'; \
	"$$matinee" show 2019-07-13 --upstream recorded; \
	say 'matinee show 2019-07-13 --policy network-first --upstream $(REFUSING)   # which refuses connections'; \
	KOBIS_API_KEY=not-a-real-key "$$matinee" show 2019-07-13 --policy network-first --upstream $(REFUSING)

.PHONY: build
build: toolchain libraries ## Build everything, tests included
	$(SWIFT) build --build-tests

# The tests of the command start processes, kill them and hold them to deadlines, and those of the transports run into real
# ones: they come one after the other, as a machine of two cores has no time to spare for that otherwise. The acceptance
# runs keep both cores busy, and come by themselves. So do those of the test server: a port that it closes stays open in
# the process that an exit test of a neighbour has just started.
#
# The others run 16 at a time: all at once would need more descriptors than the 1,024 that most machines give a process.
# (Swift Testing reads the variable; a version that does not runs them all at once.)
ONE_BY_ONE = ^(MatineeCommandTests|[A-Za-z]*TransportTests|HTTPSessionTestingContractTests|LoopbackServerTests)\.
.PHONY: test
test: toolchain libraries ## Run the tests
	$(SWIFT) test --skip '$(ONE_BY_ONE)' --skip '^AcceptanceTests\.'
	$(SWIFT) test --skip-build --no-parallel --filter '$(ONE_BY_ONE)'
	$(SWIFT) test --skip-build --filter '^AcceptanceTests\.'

# In a strict build our own warnings are errors; Package.swift looks at the variable. Dependencies are left out of it.
.PHONY: check
check: export MATINEE_STRICT = 1
check: ## What CI runs: lint, strict build, tests (the examples' too), the show, what is installed
	$(MAKE) lint
	$(MAKE) build
	$(MAKE) test
	$(MAKE) zones
	$(MAKE) run
	$(MAKE) install-check
	$(MAKE) systemd-check

.PHONY: lint
lint: toolchain ## Check the sources' form
	$(SWIFT) format lint --strict -r $(LINTED)

.PHONY: format
format: toolchain ## Bring the sources into form
	$(SWIFT) format -i -r $(LINTED)

# Examples are targets of this package, built by `build` and run by `test`; this runs their tests alone.
.PHONY: examples
examples: toolchain libraries ## Build the examples and run their tests
	@set -e; for folder in $(wildcard Examples/*/Tests); do \
	  name="$${folder#Examples/}"; name="$${name%/Tests}"; \
	  echo "$(SWIFT) test --filter $${name}Tests"; \
	  $(SWIFT) test --filter "$${name}Tests"; \
	done

# Each sanitizer changes every object file, hence the scratch paths of their own. One test at a time, as instrumented
# code is slow and hundreds at once would run into the real transports' deadlines; the tests are concurrent in
# themselves. Leaks are not looked for: XCTest's runner and Foundation's Process leak by themselves at exit, and drown
# whatever else would be told. A limit on the size of files, which stands for a full disk, ends the thread sanitizer.
.PHONY: sanitize
sanitize: toolchain libraries ## Run the tests under the thread and the address sanitizer
	$(SWIFT) test --no-parallel --sanitize=thread --scratch-path .build/thread --skip 'When the disk is full'
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --no-parallel --sanitize=address --scratch-path .build/address

# What day it is must not depend on where the machine stands.
.PHONY: zones
zones: toolchain libraries ## Run the tests of midnight in three time zones
	@set -e; for zone in UTC Asia/Seoul America/Los_Angeles; do \
	  echo "TZ=$$zone"; TZ=$$zone $(SWIFT) test --filter 'AcceptanceTests.*At midnight somewhere'; \
	done

# The acceptance runs whole: four years by each of 200 seeds of faults, four years over a real connection, and 100 kills of
# a sync of four years, before a sound upstream and before one that fails every tenth call.
.PHONY: acceptance
acceptance: toolchain libraries ## Run the long acceptance tests whole
	MATINEE_ACCEPTANCE=1 $(SWIFT) test --filter '^AcceptanceTests\.'
	MATINEE_ACCEPTANCE=1 $(SWIFT) test --skip-build --no-parallel --filter 'killed'

# The kit's promise that its users' tests do not flake: its own, and the example's, many times over.
SOAK_COUNT ?= 20
.PHONY: soak
soak: toolchain libraries ## Run the test kit's own tests 20 times under the thread sanitizer (SOAK_COUNT=20)
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/thread
	@set -e; run=1; while [ $$run -le $(SOAK_COUNT) ]; do \
	  echo "run $$run of $(SOAK_COUNT)"; \
	  $(SWIFT) test --skip-build --sanitize=thread --scratch-path .build/thread \
	    --filter '^(HTTPSessionTestingTests|EndpointClientTests)\.'; \
	  run=$$((run + 1)); \
	done

# The package that someone makes who wants the kit and no movies, where pkg-config finds no SQLite.
ALONE = .build/alone
.PHONY: alone
alone: toolchain ## Build the test kit alone, as a package that depends on it, without SQLite
	@rm -rf $(ALONE)/Sources && mkdir -p $(ALONE)/Sources/Alone
	@echo 'import HTTPSessionTesting' > $(ALONE)/Sources/Alone/Alone.swift
	@{ echo '// swift-tools-version: 6.2'; \
	  echo 'import PackageDescription'; \
	  echo 'let kit = Target.Dependency.product(name: "HTTPSessionTesting", package: "matinee")'; \
	  echo 'let package = Package('; \
	  echo '  name: "alone", dependencies: [.package(name: "matinee", path: "$(CURDIR)")],'; \
	  echo '  targets: [.target(name: "Alone", dependencies: [kit])])'; } > $(ALONE)/Package.swift
	PKG_CONFIG_PATH=/nonexistent PKG_CONFIG_LIBDIR=/nonexistent $(SWIFT) build --package-path $(ALONE)
	@found="$$(find $(ALONE)/.build -path '*SQLite*' -name '*.o' -o -name '*SQLite*.swiftmodule')"; \
	[ -z "$$found" ] || { echo "Built for the test kit alone, and must not be: $$found" >&2; exit 1; }

.PHONY: release
release: toolchain libraries ## Build the command as install does, without installing it
	$(SWIFT) build -c release --product matinee --static-swift-stdlib -Xlinker -s

# Manual and completions are told by the command that is installed, and so cannot be of another.
.PHONY: install
install: $(if $(BIN),,release) ## Install command, manual, completions (PREFIX=/usr/local, DESTDIR=, BIN=)
	install -d "$(BINDIR)" "$(DOCDIR)" "$(MANDIR)" "$(BASHDIR)" "$(ZSHDIR)" "$(FISHDIR)"
	matinee="$(BIN)"; [ -n "$$matinee" ] || matinee="$$($(SWIFT) build -c release --show-bin-path)/matinee"; \
	  install -m 755 "$$matinee" "$(BINDIR)/matinee"
	"$(BINDIR)/matinee" generate-manual > "$(MANDIR)/matinee.1"
	"$(BINDIR)/matinee" --generate-completion-script bash > "$(BASHDIR)/matinee"
	"$(BINDIR)/matinee" --generate-completion-script zsh > "$(ZSHDIR)/_matinee"
	"$(BINDIR)/matinee" --generate-completion-script fish > "$(FISHDIR)/matinee.fish"
	chmod 644 "$(MANDIR)/matinee.1" "$(BASHDIR)/matinee" "$(ZSHDIR)/_matinee" "$(FISHDIR)/matinee.fish"
	install -m 644 Documentation/command.md Documentation/schema.md LICENSE "$(DOCDIR)"

.PHONY: install-systemd
install-systemd: ## Install systemd's service and timer units (PREFIX, DESTDIR, SYSTEMDUNITDIR=)
	install -d "$(DESTDIR)$(SYSTEMDUNITDIR)"
	@# For settings and the key: made by systemd, it would belong to the service's user.
	install -d -m 755 "$(DESTDIR)$(SYSCONFDIR)/matinee"
	@set -e; for unit in $(UNITS); do \
	  echo "$(DESTDIR)$(SYSTEMDUNITDIR)/$$unit"; \
	  sed 's|^ExecStart=/usr/local/bin/|ExecStart=$(PREFIX)/bin/|' "Packaging/systemd/$$unit" \
	    > "$(DESTDIR)$(SYSTEMDUNITDIR)/$$unit"; \
	  chmod 644 "$(DESTDIR)$(SYSTEMDUNITDIR)/$$unit"; \
	done

.PHONY: uninstall
uninstall: ## Remove what install and install-systemd installed; databases and the key stay
	rm -f "$(BINDIR)/matinee" "$(DOCDIR)/command.md" "$(DOCDIR)/schema.md" "$(DOCDIR)/LICENSE" \
	  "$(MANDIR)/matinee.1" "$(BASHDIR)/matinee" "$(ZSHDIR)/_matinee" "$(FISHDIR)/matinee.fish"
	cd "$(DESTDIR)$(SYSTEMDUNITDIR)" 2>/dev/null && rm -f $(UNITS) || true
	-rmdir "$(DOCDIR)" "$(DESTDIR)$(SYSCONFDIR)/matinee" 2>/dev/null

# With the debug build's command: a release build takes minutes, and installs the same.
STAGE = $(CURDIR)/.build/stage
.PHONY: install-check
install-check: toolchain libraries ## Install into a folder, look at what is there, and uninstall it again
	$(SWIFT) build --product matinee
	@rm -rf "$(STAGE)"
	$(MAKE) install install-systemd BIN="$$($(SWIFT) build --show-bin-path)/matinee" DESTDIR="$(STAGE)" PREFIX=/usr
	sh Packaging/check-installed.sh "$(STAGE)/usr"
	$(MAKE) uninstall DESTDIR="$(STAGE)" PREFIX=/usr
	@left="$$(find "$(STAGE)" ! -type d)"; [ -z "$$left" ] || { echo "Left by uninstall: $$left" >&2; exit 1; }

# The units in a folder of their own, with a command that can be run in the place of ours.
UNITSTAGE = $(CURDIR)/.build/systemd
# The most that a service may be exposed by systemd's reckoning, in tenths.
EXPOSURE_MAX = 20
.PHONY: systemd-check
systemd-check: ## Check the units with systemd-analyze: sound, and exposed to 2.0 at the most
	@rm -rf "$(UNITSTAGE)" && install -d "$(UNITSTAGE)/bin" && ln -s /bin/true "$(UNITSTAGE)/bin/matinee"
	@$(MAKE) --no-print-directory install-systemd DESTDIR= PREFIX="$(UNITSTAGE)" SYSTEMDUNITDIR="$(UNITSTAGE)" \
	  SYSCONFDIR="$(UNITSTAGE)/etc"
	@sh Packaging/check-units.sh $(EXPOSURE_MAX) $(UNITS:%="$(UNITSTAGE)/%")

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf .build

.PHONY: toolchain
toolchain:
	@command -v $(SWIFT) >/dev/null 2>&1 || { \
	  echo 'Swift 6.2 or later is needed, and there is no swift here: see https://www.swift.org/install/linux/' >&2; \
	  exit 1; }
	@version="$$($(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)"; \
	case "$$version" in \
	  6.[01] | [0-5].* | '') \
	    echo "Swift 6.2 or later is needed, this is $${version:-unknown}: see https://www.swift.org/install/linux/" >&2; \
	    exit 1 ;; \
	esac

# Headers and libraries of SQLite and zlib. What is missing is installed where that needs no password; otherwise the
# command to type is printed.
.PHONY: libraries
libraries:
	@missing=; \
	has() { pkg-config --exists "$$1" 2>/dev/null || [ -e "/usr/include/$$2" ]; }; \
	has sqlite3 sqlite3.h || missing="$$missing libsqlite3-dev"; \
	has zlib zlib.h || missing="$$missing zlib1g-dev"; \
	[ -n "$$missing" ] || exit 0; \
	if ! command -v apt-get >/dev/null 2>&1; then \
	  echo "Needed, with their headers (by Debian's names):$$missing" >&2; exit 1; \
	fi; \
	if [ "$$(id -u)" -eq 0 ]; then sudo=; \
	elif sudo -n true 2>/dev/null; then sudo='sudo -n'; \
	else echo "Something is missing. Type: sudo apt-get install -y$$missing" >&2; exit 1; fi; \
	install="$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends$$missing"; \
	echo "$$install"; \
	$$install || { $$sudo apt-get update && $$install; }
