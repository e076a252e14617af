"""Sentences out of WordNet and plain texts, and their counts."""

import collections
import hashlib
import random
import re
import unicodedata

SHORTEST, LONGEST = 15, 600  # characters
LETTERS = 0.75  # the least part of letters and spaces
TRAINING = 80_000  # sentences
LONGEST_TRAINING = 240  # characters

EXAMPLE = re.compile(r';\s*"')
MARKER = re.compile(r"\([a-z]+\)$")
PARAGRAPH = re.compile(r"\n\s*\n")
# What stands between two sentences; closing quotes and brackets go with it.
BETWEEN = re.compile(r"""(?<=[.!?])["')\]]*\s+(?=["'(\[]?[A-Z0-9])""")
WORD = re.compile(r"[^\W_]+")


def wordnet_sentences(text):
    """Yield what one data file of WordNet says of each synset."""
    for line in text.splitlines():
        if line.startswith(" ") or "|" not in line:
            continue
        head, gloss = line.split("|", 1)
        fields = head.split()
        words = [MARKER.sub("", w).replace("_", " ") for w in fields[4:4 + 2 * int(fields[3], 16):2]]
        meaning, *examples = EXAMPLE.split(gloss.strip())
        yield ", ".join(words) + ": " + meaning
        yield meaning
        for example in examples:
            yield example.rstrip('" ')


def text_sentences(text):
    """Yield the sentences of a plain text, paragraph by paragraph."""
    for paragraph in PARAGRAPH.split(text):
        yield from BETWEEN.split(paragraph)


def clean(sentence):
    """Return a sentence in NFC with single spaces, or None if it is no prose."""
    s = " ".join(unicodedata.normalize("NFC", sentence).split())
    if not SHORTEST <= len(s) <= LONGEST:
        return None
    letters = sum(c.isalpha() or c == " " for c in s)
    return s if letters >= LETTERS * len(s) else None


def collect(sources):
    """Return the sentences of WordNet, the addresses and the novel, as three
    lists in reading order without duplicates."""
    seen = set()

    def kept(candidates):
        out = []
        for c in candidates:
            s = clean(c)
            if s is not None and s not in seen:
                seen.add(s)
                out.append(s)
        return out

    return [
        kept(s for text in sources.wordnet() for s in wordnet_sentences(text)),
        kept(s for text in sources.addresses() for s in text_sentences(text)),
        kept(s for text in sources.moby_dick() for s in text_sentences(text)),
    ]


def training_set(groups):
    """Return the sentences that the teacher reads: 50 of WordNet, 14 of the
    addresses, 5 of the novel, in turn."""
    rng = random.Random(1)
    groups = [list(g) for g in groups]
    for g in groups:
        rng.shuffle(g)
    at = [0, 0, 0]
    out = []
    while len(out) < TRAINING and any(a < len(g) for a, g in zip(at, groups)):
        for i, n in enumerate((50, 14, 5)):
            out += [s for s in groups[i][at[i]:at[i] + n] if len(s) <= LONGEST_TRAINING]
            at[i] += n
    return out[:TRAINING]


def digest(lines):
    """The sha256 of lines joined by newlines."""
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


def word_counts(groups):
    """Count the words of all sentences, in lower case."""
    counts = collections.Counter()
    for g in groups:
        for s in g:
            counts.update(WORD.findall(s.lower()))
    return counts
