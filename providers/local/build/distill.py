"""From the teacher's vectors to one row of int8 for each word piece."""

import numpy as np
from scipy import sparse

DIMENSIONS = 256
FREQUENCY = 0.001  # a in the weight a/(a + p) of a piece
RIDGE = 0.3
STEPS = 12  # of conjugate gradients
MULTIPLIER = 2.0 ** 20


def weights(counts):
    """The weight of each piece: the rarer, the higher."""
    p = (counts + 0.5) / counts.sum()
    return FREQUENCY / (FREQUENCY + p)


def design(token_lists, kept, w, pieces):
    """Return the sparse matrix whose row for a text holds the weights of its
    kept pieces, divided by their sum."""
    row_of = np.full(pieces, -1)
    row_of[kept] = np.arange(len(kept))
    rows, cols, values = [], [], []
    for i, tokens in enumerate(token_lists):
        t = np.asarray(tokens)
        t = t[row_of[t] >= 0]
        if len(t):
            share = w[t]
            rows.append(np.full(len(t), i))
            cols.append(row_of[t])
            values.append(share / share.sum())
    shape = (len(token_lists), len(kept))
    return sparse.csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))), shape=shape)


def fit(a, target, prior):
    """Solve the ridge regression of the target on a, around prior times the
    scale that fits best: (a'a + RIDGE) d = a'(target - a s prior). Return
    s prior + d."""
    projected = a @ prior
    scale = (projected * target).sum() / (projected * projected).sum()
    start = scale * prior
    residual = a.T @ (target - a @ start)
    delta = np.zeros_like(prior)
    direction = residual.copy()
    power = (residual * residual).sum(axis=0)
    for _ in range(STEPS):
        image = a.T @ (a @ direction) + RIDGE * direction
        step = power / (direction * image).sum(axis=0)
        delta += step * direction
        residual -= step * image
        before, power = power, (residual * residual).sum(axis=0)
        direction = residual + (power / before) * direction
    return start + delta


def project(m):
    """Project rows on their first DIMENSIONS principal axes, not centred; the
    largest component of every axis is positive. Also return the share of the
    squares that is kept."""
    values, axes = np.linalg.eigh(m.T @ m)
    order = np.argsort(values)[::-1][:DIMENSIONS]
    axes = axes[:, order]
    largest = np.abs(axes).argmax(axis=0)
    axes *= np.sign(axes[largest, np.arange(DIMENSIONS)])
    return m @ axes, values[order].sum() / values.sum()


def quantise(rows):
    """Return the int8 rows and their multipliers as u16."""
    scale = np.abs(rows).max(axis=1) / 127
    q = np.rint(rows / scale[:, None]).astype(np.int8)
    return q, np.rint(scale * MULTIPLIER).astype(np.uint16)


def distill(token_lists, teacher_vectors, piece_vectors, kept, counts):
    """Return the int8 rows of the kept pieces, their multipliers, and the share
    of the squares that the projection keeps."""
    w = weights(counts)
    target = teacher_vectors.astype(np.float64)
    target -= target.mean(axis=0)
    prior = piece_vectors[kept].astype(np.float64)
    prior -= prior.mean(axis=0)
    a = design(token_lists, kept, w, len(counts))
    rows, share = project(fit(a, target, prior))
    rows *= w[kept][:, None]
    rows /= np.median(np.linalg.norm(rows, axis=1))
    q, mul = quantise(rows)
    return q, mul, share
