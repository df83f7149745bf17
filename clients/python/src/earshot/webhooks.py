"""The receiver's half of Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Mapping, Optional, Union, cast

from ._errors import WebhookVerificationError
from ._models import WebhookEvent

#: Older or newer than this and a captured delivery could be played again.
TOLERANCE_SECONDS = 300
#: Seconds since 1970, in digits of ASCII: str.isdigit() also passes those that int() refuses, and numbers no float can hold.
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


def verify(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: str,
    *,
    now_seconds: Optional[float] = None,
) -> WebhookEvent:
    """The event, if the delivery is ours and fresh; raises WebhookVerificationError otherwise.

    `body` must be the raw bytes as they arrived: parsed and printed again they are others.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        _header(lower, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if now_seconds is None:
        now_seconds = time.time()
    if not _TIMESTAMP.fullmatch(timestamp) or abs(now_seconds - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("The webhook is older than five minutes, or its timestamp is not one")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + raw
    key = _decode(secret.removeprefix("whsec_"))
    # As from a variable that is not set: anybody could sign with it.
    if not key:
        raise WebhookVerificationError("The secret is empty")
    wanted = hmac.new(key, signed, hashlib.sha256).digest()
    for offered in signatures.split(" "):
        version, _, signature = offered.partition(",")
        # Several are sent while a secret is being replaced; one that fits is enough.
        if version == "v1" and hmac.compare_digest(_decode(signature), wanted):
            return cast(WebhookEvent, json.loads(raw))
    raise WebhookVerificationError("No signature of the webhook fits its body and this secret")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value is None:
        raise WebhookVerificationError(f"The webhook lacks its header {name}")
    return value


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as cause:
        raise WebhookVerificationError("The secret or a signature is not base64") from cause
