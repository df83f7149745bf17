import json
import struct
from dataclasses import replace

import numpy as np
import pytest

from earshot_training.container import Model, read_model, write_model


def example() -> Model:
    source = np.random.RandomState(0)
    tensors = {"a.weight": source.randn(3, 5).astype(np.float32), "a.bias": source.randn(3).astype(np.float32)}
    return Model("example", "7", {"kind": "test", "sizes": [3, 5]}, tensors)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    # Half floats keep eleven bits.
    [("f32", 0.0), ("f16", 2e-3)],
)
def test_what_is_written_is_read_back(tmp_path, dtype, tolerance):
    path = tmp_path / "model.bin"
    size = write_model(path, example(), dtype)
    assert path.stat().st_size == size
    model = read_model(path)
    assert (model.name, model.version, model.architecture) == ("example", "7", {"kind": "test", "sizes": [3, 5]})
    for name, tensor in example().tensors.items():
        assert np.abs(model.tensors[name] - tensor).max() <= tolerance


def read_header(path):
    """Returns the header and where the data starts."""
    content = path.read_bytes()
    assert content[:8] == b"EARSHOT1"
    (header_bytes,) = struct.unpack_from("<I", content, 8)
    return json.loads(content[12 : 12 + header_bytes]), 12 + header_bytes


# Sixteen lengths in a row: all but one header need padding.
@pytest.mark.parametrize("name", ["x" * length for length in range(1, 17)])
def test_data_starts_at_a_multiple_of_sixteen(tmp_path, name):
    path = tmp_path / "model.bin"
    write_model(path, replace(example(), name=name))
    assert read_header(path)[1] % 16 == 0


# Fifteen half floats take 30 bytes, and the next tensor starts at a multiple of four.
@pytest.mark.parametrize(("dtype", "weight_bytes", "bias_offset"), [("f32", 60, 60), ("f16", 30, 32)])
def test_matrices_have_the_chosen_type_and_biases_f32(tmp_path, dtype, weight_bytes, bias_offset):
    path = tmp_path / "model.bin"
    size = write_model(path, example(), dtype)
    header, data_start = read_header(path)
    assert header["tensors"] == [
        {"name": "a.weight", "shape": [3, 5], "dtype": dtype, "offset": 0, "length": weight_bytes},
        {"name": "a.bias", "shape": [3], "dtype": "f32", "offset": bias_offset, "length": 12},
    ]
    assert size == data_start + bias_offset + 12


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(b"RIFF0000WAVE")
    with pytest.raises(ValueError, match="not an Earshot model"):
        read_model(path)


def test_integers_with_a_scale_for_each_row_are_refused_rather_than_misread(tmp_path):
    header = (
        b'{"name":"x","version":"1","architecture":{},'
        b'"tensors":[{"name":"a","shape":[2,2],"dtype":"i8","scale":[1,2],"offset":0,"length":4}]}'
    )
    path = tmp_path / "model.bin"
    path.write_bytes(b"EARSHOT1" + struct.pack("<I", len(header)) + header + bytes([1, 1, 1, 1]))
    with pytest.raises(ValueError, match="i8"):
        read_model(path)
