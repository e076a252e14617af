"""The file of the model: header, tables, texts, rows; little endian."""

import hashlib
import struct
from dataclasses import dataclass

import numpy as np

MAGIC = b"IFLMST01"
HEADER = len(MAGIC) + 6 * 4
ALIGNMENT = 64


@dataclass
class Model:
    """What local-model.bin holds."""

    q: np.ndarray  # int8, one row for each piece
    mul: np.ndarray  # u16
    idf: bytes
    pieces: list
    function_words: list


def encode(model):
    """Return a model as the bytes of its file."""
    rows, dim = model.q.shape
    pieces = "\n".join(model.pieces).encode("utf-8")
    words = "\n".join(model.function_words).encode("utf-8")
    head = MAGIC + struct.pack("<6I", dim, rows, len(pieces), len(model.function_words), len(words), 0)
    front = head + model.mul.astype("<u2").tobytes() + model.idf + pieces + words
    front += bytes(-len(front) % ALIGNMENT)
    return front + model.q.astype(np.int8).tobytes()


def decode(content):
    """Read the bytes of a file."""
    if content[:len(MAGIC)] != MAGIC:
        raise ValueError("this is no file of the model: it does not start with " + MAGIC.decode("ascii"))
    dim, rows, piece_bytes, _, word_bytes, _ = struct.unpack("<6I", content[len(MAGIC):HEADER])
    idf = HEADER + 2 * rows
    text = idf + rows
    words = text + piece_bytes
    end = words + word_bytes
    start = end + -end % ALIGNMENT
    return Model(
        q=np.frombuffer(content[start:], np.int8).reshape(rows, dim),
        mul=np.frombuffer(content[HEADER:idf], "<u2"),
        idf=content[idf:text],
        pieces=content[text:words].decode("utf-8").split("\n"),
        function_words=content[words:end].decode("utf-8").split("\n"),
    )


def digest(content):
    """The sha256 of a file in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
