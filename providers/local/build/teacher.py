"""The sentence encoder all-MiniLM-L6-v2, in numpy.

BERT with 6 layers, 12 heads and 384 numbers; the vector of a text is the mean
over all of its tokens, [CLS] and [SEP] included, scaled to length 1.
"""

import numpy as np
from safetensors.numpy import load
from scipy.special import erf
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH = 6, 12, 384
EPSILON = 1e-12
LONGEST = 256  # tokens
BATCH_TOKENS = 2048


def read_tokenizer(content):
    """The tokenizer of the file without its padding to 128 tokens."""
    tokenizer = Tokenizer.from_str(content.decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


class Teacher:
    """Encodes lists of token ids."""

    def __init__(self, weights):
        self.w = {k: np.asarray(v, np.float32) for k, v in load(weights).items() if v.dtype.kind == "f"}

    def encode(self, tokens):
        """Return one unit vector for each list of token ids."""
        out = np.empty((len(tokens), WIDTH), np.float32)
        order = sorted(range(len(tokens)), key=lambda i: len(tokens[i]))
        at = 0
        while at < len(order):
            longest = len(tokens[order[at]])
            stop = at
            while stop < len(order) and len(tokens[order[stop]]) == longest and (stop - at) * longest < BATCH_TOKENS:
                stop += 1
            batch = order[at:stop]
            out[batch] = self._batch(np.array([tokens[i] for i in batch]))
            at = stop
        return out

    def _batch(self, ids):
        """Encode texts of one length, so that none is padded."""
        n, length = ids.shape
        x = self.w["embeddings.word_embeddings.weight"][ids.reshape(-1)]
        x = x + np.tile(self.w["embeddings.position_embeddings.weight"][:length], (n, 1))
        x += self.w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm")
        for i in range(LAYERS):
            layer = f"encoder.layer.{i}."
            x = self._norm(x + self._attention(x, n, length, layer), layer + "attention.output.LayerNorm")
            h = self._linear(x, layer + "intermediate.dense")
            h *= 0.5 * (1 + erf(h * np.float32(1 / np.sqrt(2))))
            x = self._norm(x + self._linear(h, layer + "output.dense"), layer + "output.LayerNorm")
        v = x.reshape(n, length, WIDTH).mean(axis=1)
        return v / np.linalg.norm(v, axis=1, keepdims=True)

    def _attention(self, x, n, length, layer):
        def heads(name):
            y = self._linear(x, layer + "attention.self." + name)
            return y.reshape(n, length, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2)
        scores *= np.float32(1 / np.sqrt(WIDTH // HEADS))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed = (scores @ heads("value")).transpose(0, 2, 1, 3).reshape(n * length, WIDTH)
        return self._linear(mixed, layer + "attention.output.dense")

    def _linear(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def _norm(self, x, name):
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(EPSILON))
        return x * self.w[name + ".weight"] + self.w[name + ".bias"]
