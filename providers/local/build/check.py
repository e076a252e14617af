"""Compares a model with the one that is shipped.

Two things are told apart. The models are equivalent when they have the same
pieces, words and weights of words, and rows that agree once the axes of one are
turned onto those of the other: a turn changes no cosine. They are the same when
the rows agree as they are.
"""

import sys

import numpy as np

import modelfile

MOST_Q = 2
MOST_MUL = 0.02
LEAST_COSINE = 0.999
LEAST_TURNED, MOST_BELOW = 0.99, 0.01  # cosine of any row once turned; share of rows under LEAST_COSINE


def floats(model):
    """The rows of a model as numbers."""
    return model.q.astype(np.float64) * model.mul[:, None]


def agreement(a, b, pairs=20_000):
    """The correlation of the cosines between random pairs of rows in a with
    those in b."""
    one, two = np.random.default_rng(1).integers(0, len(a), (2, pairs))

    def cosines(m):
        return (m[one] * m[two]).sum(axis=1) / np.linalg.norm(m[one], axis=1) / np.linalg.norm(m[two], axis=1)

    return np.corrcoef(cosines(a), cosines(b))[0, 1]


def turned(a, b):
    """Turn the rows of a so that they lie nearest to those of b (orthogonal
    Procrustes problem, Schonemann 1966)."""
    u, _, v = np.linalg.svd(a.T @ b)
    return a @ (u @ v)


def cosines_of_rows(a, b):
    """The cosine of every row of a with that of b."""
    return (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


def compare(built, shipped, exact=False, say=print):
    """Print how far two models differ. Return whether they are equivalent or, if
    exact, the same."""
    good = True

    def verdict(name, found, passed, wanted=True):
        nonlocal good
        good = good and (passed or not wanted)
        say(f"{'ok  ' if passed else 'FAIL' if wanted else 'differs'} {name}: {found}")

    verdict("pieces", f"{len(built.pieces)}, of {len(shipped.pieces)}", built.pieces == shipped.pieces)
    same = built.function_words == shipped.function_words
    odd = sorted(set(built.function_words) ^ set(shipped.function_words))
    verdict("function words", f"{len(built.function_words)}, of {len(shipped.function_words)}, {len(odd)} in one only {odd[:8]}", same)
    if built.q.shape != shipped.q.shape:
        verdict("shape", f"{built.q.shape}, of {shipped.q.shape}", False)
        return good
    differing = sum(a != b for a, b in zip(built.idf, shipped.idf))
    verdict("idf", f"{differing} of {len(shipped.idf)} differ", differing == 0)
    a, b = floats(built), floats(shipped)
    say(f"     correlation of the cosines between rows: {agreement(a, b):.4f}")
    cosine = cosines_of_rows(turned(a, b), b)
    below = np.mean(cosine < LEAST_COSINE)
    verdict("rows, the axes turned", f"cosine at least {cosine.min():.5f}, under {LEAST_COSINE} for {below:.2%}, median {np.median(cosine):.5f}",
            cosine.min() >= LEAST_TURNED and below <= MOST_BELOW)
    q = np.abs(built.q.astype(int) - shipped.q)
    verdict("q", f"equal {np.mean(q == 0):.3%}, within 1 {np.mean(q <= 1):.4%}, at most {q.max()} apart", q.max() <= MOST_Q, exact)
    mul = np.abs(built.mul / shipped.mul.astype(float) - 1)
    verdict("mul", f"at most {mul.max():.2%} apart", mul.max() <= MOST_MUL, exact)
    cosine = cosines_of_rows(a, b)
    verdict("rows as they are", f"cosine at least {cosine.min():.5f}, median {np.median(cosine):.5f}", cosine.min() >= LEAST_COSINE, exact)
    return good


def main():
    """Compare the two files named on the command line."""
    built, shipped = (modelfile.decode(open(path, "rb").read()) for path in sys.argv[1:3])
    sys.exit(0 if compare(built, shipped) else 1)


if __name__ == "__main__":
    main()
