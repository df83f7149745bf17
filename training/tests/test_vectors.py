import json

import numpy as np

from earshot_training import vectors


def test_the_committed_vectors_are_those_of_the_reference_and_the_shipped_weights(tmp_path, monkeypatch):
    committed = json.loads(vectors.VECTORS.read_text())
    monkeypatch.setattr(vectors, "VECTORS", tmp_path / "vectors.json")
    vectors.main()
    written = json.loads(vectors.VECTORS.read_text())
    assert written.keys() == committed.keys() and written["input"] == committed["input"]
    for network in vectors.SHIPPED:
        assert written[network].keys() == committed[network].keys()
        assert written[network].pop("sha256") == committed[network].pop("sha256")
        for name, values in written[network].items():
            # Another machine adds float32 numbers in another order.
            assert np.allclose(values, committed[network][name], atol=1e-3)
