import pytest

from make_sync_client import PACKAGE, read_sources, write_sync


def test_the_blocking_client_is_generated_from_the_async_one() -> None:
    written = write_sync(read_sources())
    assert set(written) == {"_analyses.py", "_client.py", "_job.py", "_library.py"}
    for name, text in written.items():
        assert (PACKAGE / name).read_text(encoding="utf-8") == text, "run: python make_sync_client.py"


def test_what_would_still_use_asyncio_is_refused_with_its_line() -> None:
    with pytest.raises(ValueError, match="^line 4 of _job.py would still use asyncio$"):
        write_sync({"_async_job.py": '"""For asyncio."""\n\nx = 1\nasyncio.gather()\n'})


def test_a_replacement_that_is_not_needed_any_more_is_refused() -> None:
    sources = {name: source.replace("an `async with`", "a block") for name, source in read_sources().items()}
    with pytest.raises(ValueError, match="^{'an `async with`'} match nothing"):
        write_sync(sources)
