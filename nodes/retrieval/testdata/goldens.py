"""Writes goldens.json: scores of an implementation that shares no code with ours.

    pip install snowballstemmer==3.1.1 && python3 goldens.py > goldens.json

The formulas are written down as in the books, text by text, without an index.
"""
import json
import math
import re

import snowballstemmer

K1, B, WEIGHT = 1.2, 0.75, 0.8

TEXTS = [
    "High water at the harbour follows high water at the coast by one hour and ten minutes.",
    "The harbour office keeps two gauges, and the older gauge is a float in a stilling well.",
    "Boats land their catch between two and four; each box gets a label with the boat and the hour.",
    "Predictions are made a year ahead. The largest constituent is caused by the moon.",
    "Nobody may buy for less than the price of ice.",
    "A ship calls the office two hours before it reaches the outer buoy.",
    "High water at the harbour follows high water at the coast by one hour and ten minutes.",
    "...",
]
QUERIES = [
    "When is high water in the harbour?",
    "gauging the floats of older offices",
    "hours hours boat",
    "What is the moon predicting?",
    "zeppelin",
]
# The English function words of these texts and queries.
STOP = set(
    "at the by one and two is a in their between with are made for less than of it before when what may nobody gets each well"
    .split()
)

VECTORS = [[math.sin(1 + i * 7 + d * 3) for d in range(6)] for i in range(len(TEXTS))]
VECTORS[6] = VECTORS[0]
VECTORS[7] = [0.0] * 6
QUERY_VECTORS = [[math.cos(2 + i * 5 + d) for d in range(6)] for i in range(len(QUERIES))]

stemmer = snowballstemmer.stemmer("english")


def terms(text):
    return [stemmer.stemWord(w) for w in re.findall(r"[a-z]+", text.lower()) if w not in STOP]


def bm25(query):
    documents = [terms(t) for t in TEXTS]
    mean = sum(map(len, documents)) / len(documents)
    scores = []
    for d in documents:
        score = 0.0
        for term in terms(query):
            n = sum(term in other for other in documents)
            if n == 0:
                continue
            f = d.count(term)
            idf = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
            score += idf * f * (K1 + 1) / (f + K1 * (1 - B + B * len(d) / mean))
        scores.append(score)
    return scores


def cosine(query):
    out = []
    for v in VECTORS:
        product = sum(a * b for a, b in zip(query, v))
        lengths = math.hypot(*query) * math.hypot(*v)
        out.append(product / lengths if lengths else 0.0)
    return out


def hybrid(words, cosines):
    top, low, high = max(words), min(cosines), max(cosines)
    return [(w / top if top else 0.0) + WEIGHT * (c - low) / (high - low) for w, c in zip(words, cosines)]


cases = []
for query, vector in zip(QUERIES, QUERY_VECTORS):
    words, cosines = bm25(query), cosine(vector)
    cases.append({"query": query, "vector": vector, "bm25": words, "dense": cosines, "hybrid": hybrid(words, cosines)})
print(json.dumps({"texts": TEXTS, "vectors": VECTORS, "queries": cases}, indent=1))
