"""Writes the blocking client from the one for asyncio, so that they cannot differ: python make_sync_client.py

A test fails if the files in src/earshot are not what this writes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict

PACKAGE = Path(__file__).parent / "src" / "earshot"
#: Source file to generated file.
FILES = {f"_async_{name}.py": f"_{name}.py" for name in ("analyses", "client", "job", "library")}

# Applied in this order; each replaces something that only asyncio has.
REPLACEMENTS = [
    (r'\A""".*?"""', '"""Part of the blocking client. Written by make_sync_client.py; do not edit."""'),
    (r"^import asyncio\n", ""),
    (r"\bAwaitable, ", ""),
    (r"\bAwaitable\[([^\]]+)\]", r"\1"),
    (r"an `async with`", "a `with`"),
    (r"\basync (with|for|def)\b", r"\1"),
    (r"\bawait asyncio\.to_thread\((\w+\.\w+), (\w+)\)", r"\1(\2)"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bawait ", ""),
    (r"\bAsync(Earshot|Job|Analyses|Library|Collections|Iterator|Client|BaseTransport)\b", r"\1"),
    (r"\b_async_(analyses|client|job|library)\b", r"_\1"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|read|iter_lines|iter_bytes)\b", r"\1"),
]


def write_sync(sources: Dict[str, str]) -> Dict[str, str]:
    """Generated source by file name."""
    unused = {pattern for pattern, _ in REPLACEMENTS}
    written: Dict[str, str] = {}
    for name, source in sources.items():
        for pattern, replacement in REPLACEMENTS:
            source, count = re.subn(pattern, replacement, source, flags=re.MULTILINE | re.DOTALL)
            if count > 0:
                unused.discard(pattern)
        left = re.search(r"async|await", source, flags=re.IGNORECASE)
        if left:
            line = source[: left.start()].count("\n") + 1
            raise ValueError(f"line {line} of {FILES[name]} would still use asyncio")
        written[FILES[name]] = source
    if unused:
        raise ValueError(f"{unused} match nothing: has the client changed?")
    return written


def read_sources() -> Dict[str, str]:
    return {name: (PACKAGE / name).read_text(encoding="utf-8") for name in FILES}


if __name__ == "__main__":
    for name, text in write_sync(read_sources()).items():
        (PACKAGE / name).write_text(text, encoding="utf-8")
