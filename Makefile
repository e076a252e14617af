# IronFlow. `make demo` and `make test` are all that a fresh machine needs
# besides Go 1.26 (see README.md).

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X github.com/ironflow/ironflow/cmd/ironflow/app.version=$(VERSION)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

.PHONY: build
build: ## build bin/ironflow, one static binary
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/ironflow ./cmd/ironflow

.PHONY: demo
demo: build ## build, and chunk a document of this repository without key or network
	bin/ironflow run examples/chunk_document.lua

.PHONY: test
test: ## formatting, vet, all tests with the race detector, the example module
	@bash .ci/test

.PHONY: fmt
fmt: ## format the Go files
	gofmt -w cmd examples flow lua nodes providers transport

.PHONY: generate
generate: build ## rewrite docs/reference from the declarations
	bin/ironflow docs --out docs/reference

.PHONY: bench
bench: ## benchmarks of the chunkers, the decoder, the runner and the Lua host
	$(GO) test -run '^$$' -bench . -benchmem ./nodes/... ./providers/... ./flow/... ./lua/... ./cmd/...

.PHONY: quality-seg
DATA ?=
quality-seg: ## segmentation figures on public sets; DATA is a folder with choi/, wiki300/, bayesseg/
	IRONFLOW_DATA=$(DATA) $(GO) test -count=1 -v -run TestDetectorsOn ./nodes/chunking/quality

.PHONY: bench-peers
bench-peers: ## chunkers beside those of other Go libraries, on the same text in the same run
	cd testdata/peers && $(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: fuzz
FUZZTIME ?= 30s
fuzz: ## every fuzz target in turn, FUZZTIME each
	@bash .ci/fuzz $(FUZZTIME)

.PHONY: lint
GOLANGCI ?= github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.1.6
lint: ## golangci-lint with .golangci.yml
	$(GO) run $(GOLANGCI) run ./...
