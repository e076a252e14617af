"""Makes local-model.bin from published packages; see README.md."""

import os

# One thread: the result does not depend on how many the machine has.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "TOKENIZERS_PARALLELISM"):
    os.environ.setdefault(name, "1" if name != "TOKENIZERS_PARALLELISM" else "false")

import argparse
import pathlib
import sys
import time

import numpy as np

import check
import distill
import modelfile
import sentences
import sources
import teacher
import words

SENTENCES = 344_757
TRAINING = "3953dc8fadbbccf85093be9c0b2a102b62712b7ffbe27df833d68806940af6e7"  # of the shipped model
CHUNK = 8000  # texts for which the teacher's vectors are kept in one file
SHIPPED = pathlib.Path(__file__).resolve().parent.parent / "local-model.bin"


def say(*what):
    """Print with the time in front."""
    print(time.strftime("%H:%M:%S"), *what, flush=True)


def remembered(path, compute):
    """Return the array of a file; if there is none, compute and keep it."""
    if path.exists():
        return np.load(path)
    value = compute()
    aside = path.with_suffix(".new.npy")
    np.save(aside, value)
    aside.rename(path)
    return value


def taught_vectors(bert, tokens, place):
    """Return the teacher's vectors, CHUNK texts to a file: a build that was
    stopped goes on where it was."""
    parts = []
    for at in range(0, len(tokens), CHUNK):
        part = tokens[at:at + CHUNK]
        parts.append(remembered(place.with_name(f"{place.name}-{at}.npy"), lambda: bert.encode(part)))
        say(at + len(part), "of", len(tokens), "sentences read by the teacher")
    return np.concatenate(parts)


def piece_counts(groups, tokenizer):
    """Count the pieces of all sentences."""
    counts = np.zeros(tokenizer.get_vocab_size(), np.int64)
    for g in groups:
        for at in range(0, len(g), 10_000):
            for e in tokenizer.encode_batch(g[at:at + 10_000], add_special_tokens=False):
                np.add.at(counts, e.ids, 1)
    return counts


def build(cache):
    """Return the model, made from the packages in the folder cache, and the
    digest of the sentences that the teacher read."""
    source = sources.Sources(cache)
    groups = sentences.collect(source)
    n = sum(map(len, groups))
    if n != SENTENCES:
        raise sources.SourceError(f"{n} sentences were read, {SENTENCES} expected")
    training = sentences.training_set(groups)
    name = sentences.digest(training)
    say(n, "sentences, training set", name)

    tokenizer = teacher.read_tokenizer(source.minilm_tokenizer())
    counts = piece_counts(groups, tokenizer)
    kept, pieces = words.kept_pieces(tokenizer.get_vocab())
    uses = sentences.word_counts(groups)
    say(counts.sum(), "pieces,", sum(uses.values()), "words,", len(kept), "pieces kept")

    bert = teacher.Teacher(source.minilm_weights())
    start, stop = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    alone = remembered(source.cache / "teacher-pieces.npy",
                       lambda: bert.encode([[start, i, stop] for i in range(tokenizer.get_vocab_size())]))
    tokens = [e.ids for e in tokenizer.encode_batch(training, add_special_tokens=False)]
    framed = [[start, *t[:teacher.LONGEST - 2], stop] for t in tokens]
    taught = taught_vectors(bert, framed, source.cache / f"teacher-{name[:16]}")
    q, mul, share = distill.distill(tokens, taught, alone, kept, counts)
    say(f"rows made, {share:.1%} kept by the projection, largest multiplier {mul.max()}")
    model = modelfile.Model(q, mul, words.rarity(pieces, uses), pieces,
                            words.function_words(source.stopwords(), uses, pieces))
    return model, name


def main():
    """Build, write and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", required=True, help="folder for the packages and the vectors of the teacher")
    parser.add_argument("--out", required=True, help="the file to write")
    parser.add_argument("--exact", action="store_true", help="fail as well when training sentences or rows are not those of the shipped model")
    args = parser.parse_args()
    try:
        model, training = build(args.cache)
    except sources.SourceError as err:
        sys.exit(f"build: {err}")
    shipped = modelfile.decode(SHIPPED.read_bytes())
    content = modelfile.encode(model)
    pathlib.Path(args.out).write_bytes(content)
    say(args.out, len(content), "bytes, sha256", modelfile.digest(content))
    same = training == TRAINING
    print("ok  " if same else "FAIL" if args.exact else "differs", "training sentences:", training)
    sys.exit(0 if check.compare(model, shipped, args.exact) and (same or not args.exact) else 1)


if __name__ == "__main__":
    main()
