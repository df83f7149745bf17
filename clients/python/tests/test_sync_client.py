"""The two clients are one: the one that waits is written from the other."""

from make_sync_client import SOURCE, TARGET, write_sync


def test_is_written_from_the_async_client() -> None:
    assert TARGET.read_text(encoding="utf-8") == write_sync(SOURCE.read_text(encoding="utf-8")), (
        "run: python make_sync_client.py"
    )
