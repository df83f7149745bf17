"""The weights file the engine reads; its format is in engine/models/README.md.

Its i8 tensors are neither written nor read here: f16 is small enough. Arithmetic is float32 everywhere.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MAGIC = b"EARSHOT1"
DATA_ALIGNMENT_BYTES, TENSOR_ALIGNMENT_BYTES = 16, 4
DTYPES = {"f32": np.dtype("<f4"), "f16": np.dtype("<f2")}


@dataclass(frozen=True)
class Model:
    name: str
    version: str
    architecture: dict
    tensors: dict[str, np.ndarray]


def write_model(path: Path, model: Model, weight_dtype: str = "f16") -> int:
    """Writes matrices in `weight_dtype`, biases and scales in f32. Returns the file's size in bytes."""
    entries, blobs, offset = [], [], 0
    for name, tensor in model.tensors.items():
        entry = {"name": name, "shape": list(tensor.shape), "dtype": "f32" if tensor.ndim < 2 else weight_dtype}
        blob = np.ascontiguousarray(tensor, DTYPES[entry["dtype"]]).tobytes()
        entry |= {"offset": offset, "length": len(blob)}
        blob += b"\0" * (-len(blob) % TENSOR_ALIGNMENT_BYTES)
        entries.append(entry)
        blobs.append(blob)
        offset += len(blob)
    header = {"name": model.name, "version": model.version, "architecture": model.architecture, "tensors": entries}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(MAGIC) + 4 + len(text)) % DATA_ALIGNMENT_BYTES)
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
        dtype = DTYPES.get(entry["dtype"])
        if dtype is None:
            raise ValueError(f"{path} has weights in {entry['dtype']}, which this reader does not support")
        raw = np.frombuffer(data, dtype, offset=entry["offset"], count=int(np.prod(entry["shape"])))
        tensors[entry["name"]] = raw.reshape(entry["shape"]).astype(np.float32)
    return Model(header["name"], header["version"], header["architecture"], tensors)
