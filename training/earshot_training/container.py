"""The weights file the engine reads.

Layout: 8 bytes "EARSHOT1"; header length as unsigned 32-bit little-endian; that many bytes of UTF-8 JSON, padded with
spaces so that what follows starts at a multiple of 16; then the tensors, each starting at a multiple of 4,
little-endian, row-major. Tensor offsets count from the start of the data. f16 and i8 (times `scale`) exist to save
space; arithmetic is float32 everywhere.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MAGIC = b"EARSHOT1"
DATA_ALIGNMENT, TENSOR_ALIGNMENT = 16, 4
DTYPES = {"f32": np.dtype("<f4"), "f16": np.dtype("<f2"), "i8": np.dtype("i1")}


@dataclass(frozen=True)
class Model:
    name: str
    version: str
    architecture: dict
    tensors: dict[str, np.ndarray]


def write_model(path: Path, model: Model, weight_dtype: str = "f16") -> int:
    """Matrices in `weight_dtype`, biases and scales in f32. Returns the file's size in bytes."""
    entries, blobs, offset = [], [], 0
    for name, tensor in model.tensors.items():
        entry = {"name": name, "shape": list(tensor.shape), "dtype": "f32" if tensor.ndim < 2 else weight_dtype}
        values = tensor
        if entry["dtype"] == "i8":
            entry["scale"] = float(np.abs(tensor).max() / 127) or 1.0
            values = np.round(tensor / entry["scale"])
        blob = np.ascontiguousarray(values, DTYPES[entry["dtype"]]).tobytes()
        entry |= {"offset": offset, "length": len(blob)}
        blob += b"\0" * (-len(blob) % TENSOR_ALIGNMENT)
        entries.append(entry)
        blobs.append(blob)
        offset += len(blob)
    header = {"name": model.name, "version": model.version, "architecture": model.architecture, "tensors": entries}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(MAGIC) + 4 + len(text)) % DATA_ALIGNMENT)
    content = MAGIC + struct.pack("<I", len(text)) + text + b"".join(blobs)
    path.write_bytes(content)
    return len(content)


def read_model(path: Path) -> Model:
    content = path.read_bytes()
    if content[: len(MAGIC)] != MAGIC:
        raise ValueError(f"{path} is not an Earshot model")
    (header_bytes,) = struct.unpack_from("<I", content, len(MAGIC))
    header_start = len(MAGIC) + 4
    header = json.loads(content[header_start : header_start + header_bytes])
    data = content[header_start + header_bytes :]
    tensors = {}
    for entry in header["tensors"]:
        raw = np.frombuffer(data, DTYPES[entry["dtype"]], offset=entry["offset"], count=int(np.prod(entry["shape"])))
        tensors[entry["name"]] = raw.reshape(entry["shape"]).astype(np.float32) * np.float32(entry.get("scale", 1.0))
    return Model(header["name"], header["version"], header["architecture"], tensors)
