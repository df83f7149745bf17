"""The two clients are one: the one that waits is written from the other."""

from make_sync_client import PACKAGE, read_sources, write_sync


def test_is_written_from_the_async_client() -> None:
    for name, text in write_sync(read_sources()).items():
        assert (PACKAGE / name).read_text(encoding="utf-8") == text, "run: python make_sync_client.py"
