"""Starts llama.cpp's own HTTP server, as the wheel xllamacpp holds it.

    python serve_llama.py --model FILE --port N [--embed [--pooling mean]] [--ctx 512] [--key K]

It listens on 127.0.0.1 with one thread, and runs until it is killed.
"""

import argparse
import threading

import xllamacpp

args = argparse.ArgumentParser()
args.add_argument("--model", required=True)
args.add_argument("--port", type=int, required=True)
args.add_argument("--embed", action="store_true")
args.add_argument("--pooling", default="")
args.add_argument("--ctx", type=int, default=512)
args.add_argument("--key", default="")
args = args.parse_args()

params = xllamacpp.CommonParams()
params.model.path = args.model
params.hostnames = ["127.0.0.1"]
params.port = args.port
params.embedding = args.embed
params.n_ctx = args.ctx
params.n_batch = params.n_ubatch = args.ctx
params.n_parallel = 1
# More threads than free cores make it ten times slower: they wait by spinning.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.n_threads_http = 4
if args.pooling:  # a chat model has none by itself
    params.pooling_type = getattr(
        xllamacpp.llama_pooling_type, "LLAMA_POOLING_TYPE_" + args.pooling.upper()
    )
if args.key:
    params.api_keys = [args.key]

server = xllamacpp.Server(params)
print("READY", server.listening_address, flush=True)
threading.Event().wait()
