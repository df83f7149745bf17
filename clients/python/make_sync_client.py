"""Writes the client that waits from the one for asyncio, so that they cannot differ: python make_sync_client.py

A test fails while _client.py and _library.py of src/earshot are not what this writes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict

PACKAGE = Path(__file__).parent / "src" / "earshot"
#: Source to what is written from it.
FILES = {"_async_client.py": "_client.py", "_async_library.py": "_library.py"}

# In this order; each names something that only asyncio has.
REPLACEMENTS = [
    (r'\A""".*?"""', '"""The client that waits. Written by make_sync_client.py; do not edit."""'),
    (r"^import asyncio\n", ""),
    (r"^    Awaitable,\n", ""),
    (r"Awaitable\[([^\]]+)\]", r"\1"),
    (r"an `async with`", "a `with`"),
    (r"\basync (with|for|def)\b", r"\1"),
    (r"\bawait asyncio\.to_thread\((\w+\.\w+), (\w+)\)", r"\1(\2)"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bawait ", ""),
    (r"\bAsync(Earshot|Job|Analyses|Library|Collections|Iterator|Client|BaseTransport)\b", r"\1"),
    (r"\b_async_(client|library)\b", r"_\1"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|read|iter_lines|iter_bytes)\b", r"\1"),
]


def write_sync(sources: Dict[str, str]) -> Dict[str, str]:
    """By the name of the file that is written."""
    unused = {pattern for pattern, _ in REPLACEMENTS}
    written: Dict[str, str] = {}
    for name, source in sources.items():
        for pattern, replacement in REPLACEMENTS:
            source, count = re.subn(pattern, replacement, source, flags=re.MULTILINE | re.DOTALL)
            if count > 0:
                unused.discard(pattern)
        left = re.search(r"async|await", source.split("do not edit", 1)[1], flags=re.IGNORECASE)
        if left:
            line = source[: left.start()].count("\n") + 1
            raise ValueError(f"line {line} of {FILES[name]} would still be for asyncio")
        written[FILES[name]] = source
    if unused:
        raise ValueError(f"{unused} are nowhere: has the client changed?")
    return written


def read_sources() -> Dict[str, str]:
    return {name: (PACKAGE / name).read_text(encoding="utf-8") for name in FILES}


if __name__ == "__main__":
    for name, text in write_sync(read_sources()).items():
        (PACKAGE / name).write_text(text, encoding="utf-8")
