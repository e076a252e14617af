"""Which pieces are kept, how rare words are, and function words."""

import json
import math
import unicodedata

FIRST_PIECE = 999  # lower ids are special tokens and unused ones
LANGUAGES = "de fr es it pt nl sv da no fi pl cs sk sl hr ro hu tr ca ru uk bg el zh ja ko".split()
MORE = """al au auf aus bei bis ce ci como da dans das de degli dei del dell della delle dem der des di du ein eine el
ele ella est et het ich il ist ja je las le les lo los mais med mein mi mit na ne nem nie nos och oder og ou pas por que
qui sans se sein ser si sie sont su sous sul sur te til um una und une vom von yo zum zur""".split()
LONGEST_ASCII, LONGEST_OTHER = 7, 8  # characters of a function word
ENGLISH = 3  # so many uses in the English texts make a word English



def is_plain(piece):
    """Whether a piece is of ASCII digits and Latin small letters only."""
    letters = piece.removeprefix("##")
    return bool(letters) and all(c in "0123456789" or unicodedata.name(c, "").startswith("LATIN SMALL") for c in letters)


def kept_pieces(vocabulary):
    """Return the ids of the pieces of digits and Latin small letters, and their
    texts, in the order of their ids."""
    ids = sorted(i for text, i in vocabulary.items() if i >= FIRST_PIECE and is_plain(text))
    text_of = {i: text for text, i in vocabulary.items()}
    return ids, [text_of[i] for i in ids]


def rarity(pieces, counts):
    """Return 0 (frequent) to 255 (unseen) for the word that each piece is; 0 for
    the continuations of words."""
    total = sum(counts.values())
    unseen = math.log(0.01 / (0.5 / total))

    def idf(piece):
        if piece.startswith("##"):
            return 0
        p = (counts[piece] + 0.5) / total
        return round(255 * max(0.0, math.log(0.01 / p)) / unseen)

    return bytes(idf(p) for p in pieces)


def fold(word):
    """A word in lower case; without accents if all letters are Latin, Greek or
    Cyrillic."""
    word = unicodedata.normalize("NFC", word.lower())
    plain = [unicodedata.normalize("NFD", c)[0] for c in word]
    scripts = ("LATIN", "GREEK", "CYRILLIC")
    if all(unicodedata.name(c, "").startswith(scripts) for c in plain):
        return "".join(plain)
    return word


def function_words(stopwords, counts, pieces):
    """Return the function words of other languages that no English text needs,
    sorted by code point."""
    lists = json.loads(stopwords)
    english = set(pieces)
    out = set(MORE)
    for language in LANGUAGES:
        for word in map(fold, lists[language]):
            if not all(c.isalpha() for c in word):
                continue
            if word.isascii():
                if len(word) <= LONGEST_ASCII and counts[word] < ENGLISH and word not in english:
                    out.add(word)
            elif len(word) <= LONGEST_OTHER:
                out.add(word)
    return sorted(out)
