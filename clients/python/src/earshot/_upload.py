"""What both clients need to submit a file: its name and type, the key of its slot, how a slot refuses it."""

from __future__ import annotations

import os
import re
from typing import IO, Collection, Optional, Union

from ._errors import ApiError

FileSource = Union[str, "os.PathLike[str]", bytes, IO[bytes]]

#: The slot already has its file.
ARRIVED = frozenset({"object_already_uploaded"})
#: The slot has expired or was deleted. S3 answers an expired URL with 403, Google with 400, both without a code of ours.
SPENT = frozenset({"gone", "not_found", 403, 400})
#: No job was created from the slot. The key counts as reused if a later slot got the job, or if it belongs to another request.
WITHOUT_JOB = frozenset({"object_not_uploaded", "not_found", "idempotency_key_reused"})

#: The service accepts keys of 255 characters, and the prefix has seven.
_PREFIXED_CHARACTERS_MAX = 248
#: Visible ASCII, which is what a key may contain, in reverse order: every character changes.
_MIRRORED = {code: ord("!") + ord("~") - code for code in range(ord("!"), ord("~") + 1)}
#: The content types that the service accepts, besides application/octet-stream.
_AUDIO_TYPE = re.compile(r"audio/[a-z0-9.+-]+|video/(mp4|webm)|application/ogg")


def slot_key_of(idempotency_key: str) -> str:
    """Must differ from the analysis's own key, as a key stands for one request. Without room for a prefix, every character is changed."""
    if len(idempotency_key) > _PREFIXED_CHARACTERS_MAX:
        return idempotency_key.translate(_MIRRORED)
    return f"upload-{idempotency_key}"


def is_refusal(error: ApiError, reasons: Collection[object]) -> bool:
    """Judges by the error's code, or by its status if it has none."""
    return (error.code or error.status) in reasons


def content_type_of(content_type: Optional[str]) -> str:
    return content_type if content_type and _AUDIO_TYPE.fullmatch(content_type) else "application/octet-stream"


def name_of(file: FileSource) -> Optional[str]:
    if isinstance(file, (str, os.PathLike)):
        return os.path.basename(os.fspath(file))
    # That of an unnamed temporary file is its descriptor, a number.
    name = getattr(file, "name", None)
    return os.path.basename(name) if isinstance(name, str) else None


def check_sources(file: Optional[FileSource], url: Optional[str], storage_object_id: Optional[str]) -> None:
    if sum(source is not None for source in (file, url, storage_object_id)) != 1:
        raise TypeError("give exactly one of file, url and storage_object_id")
