from make_sync_client import PACKAGE, read_sources, write_sync


def test_the_blocking_client_is_generated_from_the_async_one() -> None:
    written = write_sync(read_sources())
    assert set(written) == {"_analyses.py", "_client.py", "_job.py", "_library.py"}
    for name, text in written.items():
        assert (PACKAGE / name).read_text(encoding="utf-8") == text, "run: python make_sync_client.py"
