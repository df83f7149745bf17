from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from earshot import WebhookVerificationError, webhooks

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = '{"test": 2432232314}'
SENT_AT_SECONDS = 1614265330
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
# With the secret, the body and the signature, the published test vector of Standard Webhooks.
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": str(SENT_AT_SECONDS),
    "Webhook-Signature": SIGNATURE,
}
NO_MATCH = "No signature of the webhook matches"
OFF = "invalid or more than five minutes off"


@pytest.mark.parametrize("body", [BODY, BODY.encode()])
def test_accepts_the_published_vector(body: "str | bytes") -> None:
    event = webhooks.verify(body, HEADERS, SECRET, now_seconds=SENT_AT_SECONDS)
    assert dict(event) == {"test": 2432232314}


@pytest.mark.parametrize("off_seconds", [-300, 300])
def test_accepts_a_delivery_five_minutes_early_or_late(off_seconds: int) -> None:
    event = webhooks.verify(BODY, HEADERS, SECRET, now_seconds=SENT_AT_SECONDS + off_seconds)
    assert dict(event) == {"test": 2432232314}


def test_accepts_a_secret_without_its_prefix() -> None:
    event = webhooks.verify(BODY, HEADERS, SECRET.removeprefix("whsec_"), now_seconds=SENT_AT_SECONDS)
    assert dict(event) == {"test": 2432232314}


@pytest.mark.parametrize("signatures", ["v1,AAAA {}", "{} v1,AAAA"])
def test_one_of_two_signatures_is_enough_while_a_secret_is_being_replaced(signatures: str) -> None:
    headers = {**HEADERS, "Webhook-Signature": signatures.format(HEADERS["Webhook-Signature"])}
    event = webhooks.verify(BODY, headers, SECRET, now_seconds=SENT_AT_SECONDS)
    assert dict(event) == {"test": 2432232314}


@pytest.mark.parametrize(
    ("body", "headers", "secret", "now_seconds", "reason"),
    [
        (BODY + " ", HEADERS, SECRET, SENT_AT_SECONDS, NO_MATCH),
        (BODY, HEADERS, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", SENT_AT_SECONDS, NO_MATCH),
        (BODY, HEADERS, SECRET, SENT_AT_SECONDS + 301, OFF),
        (BODY, HEADERS, SECRET, SENT_AT_SECONDS - 301, OFF),
        (BODY, {**HEADERS, "Webhook-Signature": ""}, SECRET, SENT_AT_SECONDS, NO_MATCH),
        (BODY, {**HEADERS, "Webhook-Signature": SIGNATURE.replace("v1", "v0")}, SECRET, SENT_AT_SECONDS, NO_MATCH),
        (BODY, {**HEADERS, "Webhook-Signature": "v1,é"}, SECRET, SENT_AT_SECONDS, "a signature is not base64"),
        (BODY, {"Webhook-Id": "msg"}, SECRET, SENT_AT_SECONDS, "no header webhook-timestamp"),
        (BODY, {**HEADERS, "Webhook-Timestamp": "\u00b2"}, SECRET, SENT_AT_SECONDS, OFF),
        (BODY, {**HEADERS, "Webhook-Timestamp": "9" * 400}, SECRET, SENT_AT_SECONDS, OFF),
    ],
)
def test_refuses_a_forged_or_stale_webhook(
    body: str, headers: "dict[str, str]", secret: str, now_seconds: int, reason: str
) -> None:
    with pytest.raises(WebhookVerificationError, match=reason):
        webhooks.verify(body, headers, secret, now_seconds=float(now_seconds))


@pytest.mark.parametrize("secret", ["", "whsec_"])
def test_refuses_an_empty_secret_with_which_anyone_could_sign(secret: str) -> None:
    signed = f"{HEADERS['Webhook-Id']}.{SENT_AT_SECONDS}.{BODY}".encode()
    forged = base64.b64encode(hmac.new(b"", signed, hashlib.sha256).digest()).decode()
    with pytest.raises(WebhookVerificationError, match="The secret is empty"):
        webhooks.verify(
            BODY, {**HEADERS, "Webhook-Signature": f"v1,{forged}"}, secret, now_seconds=float(SENT_AT_SECONDS)
        )
