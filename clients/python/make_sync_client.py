"""Writes the client that waits from the one for asyncio, so that they cannot differ: python make_sync_client.py

A test fails while src/earshot/_client.py is not what this writes.
"""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parent / "src" / "earshot"
SOURCE = PACKAGE / "_async_client.py"
TARGET = PACKAGE / "_client.py"

# In this order; each names something that only asyncio has.
REPLACEMENTS = [
    (r'\A""".*?"""', '"""The client that waits. Written from _async_client.py by make_sync_client.py; do not edit."""'),
    (r"^import asyncio\n", ""),
    (r"^    Awaitable,\n", ""),
    (r"Awaitable\[([^\]]+)\]", r"\1"),
    (r"an `async with`", "a `with`"),
    (r"\basync (with|for|def)\b", r"\1"),
    (r"\bawait asyncio\.to_thread\((\w+\.\w+), (\w+)\)", r"\1(\2)"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bawait ", ""),
    (r"\bAsync(Earshot|Job|Analyses|Iterator|Client|BaseTransport)\b", r"\1"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|read|iter_lines)\b", r"\1"),
]


def write_sync(source: str) -> str:
    for pattern, replacement in REPLACEMENTS:
        source, count = re.subn(pattern, replacement, source, flags=re.MULTILINE | re.DOTALL)
        if count == 0:
            raise ValueError(f"{pattern} is nowhere in {SOURCE.name}: has it changed?")
    left = re.search(r"async|await", source.split("do not edit", 1)[1], flags=re.IGNORECASE)
    if left:
        line = source[: left.start()].count("\n") + 1
        raise ValueError(f"line {line} of {TARGET.name} would still be for asyncio")
    return source


if __name__ == "__main__":
    TARGET.write_text(write_sync(SOURCE.read_text(encoding="utf-8")), encoding="utf-8")
