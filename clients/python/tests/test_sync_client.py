from make_sync_client import PACKAGE, read_sources, write_sync


def test_the_blocking_client_is_generated_from_the_async_one() -> None:
    for name, text in write_sync(read_sources()).items():
        assert (PACKAGE / name).read_text(encoding="utf-8") == text, "run: python make_sync_client.py"
