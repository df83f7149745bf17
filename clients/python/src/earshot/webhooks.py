"""Verification of received webhooks (Standard Webhooks, https://www.standardwebhooks.com)."""

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

#: Limits how long a captured delivery can be replayed. Five minutes, as in the libraries of Standard Webhooks.
TOLERANCE_SECONDS = 300
#: Unix seconds. str.isdigit() would also accept digits that int() refuses, such as "²", and numbers too large for a float.
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


def verify(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: str,
    *,
    now_seconds: Optional[float] = None,
) -> WebhookEvent:
    """The event, if the delivery is authentic and recent; raises WebhookVerificationError otherwise.

    `body` must be the raw bytes as received: JSON that was parsed and serialized again has other bytes.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        _header(lower, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if now_seconds is None:
        now_seconds = time.time()
    if not _TIMESTAMP.fullmatch(timestamp) or abs(now_seconds - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("The timestamp of the webhook is invalid or more than five minutes off")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + raw
    key = _decode(secret.removeprefix("whsec_"))
    # As from an environment variable that is not set: anyone could sign with it.
    if not key:
        raise WebhookVerificationError("The secret is empty")
    wanted = hmac.new(key, signed, hashlib.sha256).digest()
    for offered in signatures.split(" "):
        version, _, signature = offered.partition(",")
        # While a secret is being replaced there are two signatures; one match is enough.
        if version == "v1" and hmac.compare_digest(_decode(signature), wanted):
            return cast(WebhookEvent, json.loads(raw))
    raise WebhookVerificationError("No signature of the webhook matches its body and this secret")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value is None:
        raise WebhookVerificationError(f"The webhook has no header {name}")
    return value


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as cause:
        raise WebhookVerificationError("The secret or a signature is not base64") from cause
