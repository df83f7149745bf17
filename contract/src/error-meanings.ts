import type { ErrorCode, FailureCode, RefusalType } from './error-codes.ts';

/** For docs/errors.md and the examples in the OpenAPI document. `example` is a `detail` that the service sends, or the `msg` of an issue. */
type ErrorMeaning = { meaning: string; action: string; example: string };

export const ERROR_MEANINGS: Record<ErrorCode, ErrorMeaning> = {
  unauthorized: {
    meaning:
      'The credential is missing, unknown, revoked or expired, or two credentials contradict each other.',
    action:
      'Send `Authorization: Bearer <key or session token>` or `X-API-Key: <key>`. Sign in again if the session has ended.',
    example: 'This API key is unknown or revoked. Check it for typos.',
  },
  email_not_verified: {
    meaning:
      'This installation requires verified e-mail addresses, and that of this account is not verified.',
    action:
      'Send the token from the verification mail to `POST /v1/auth/verify-email`, or sign in once by e-mail code.',
    example: 'Verify the e-mail address of this account first, with the token that was mailed to it.',
  },
  insufficient_role: {
    meaning:
      'You belong to the workspace, but your role does not permit this. `required_role` names the role that does.',
    action: 'Ask an admin or the owner to do it or to change your role.',
    example: 'This needs the role admin; you are viewer here.',
  },
  insufficient_scope: {
    meaning: 'The API key lacks the scope (`required_scope`), or the route accepts sessions only.',
    action: 'Create a key with that scope, or sign in.',
    example: 'This API key lacks the scope analyses:create.',
  },
  cross_origin_cookie: {
    meaning: 'A request from another origin tried to change something with a session cookie.',
    action: 'Send the token as `Authorization: Bearer …` instead of relying on the cookie.',
    example:
      'A session cookie is accepted for changes only from the same origin. Send the token as "Authorization: Bearer …".',
  },
  not_found: {
    meaning:
      'There is nothing under this id or path, or it belongs to another workspace: the response is the same.',
    action: 'Check the id, the path, and that the key or session belongs to the right workspace.',
    example: 'There is nothing here that you can see. Check the id and the workspace.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method. `Allow` lists its methods.',
    action: 'Use one of the methods in the `Allow` header.',
    example: 'This path takes GET, HEAD, OPTIONS.',
  },
  quota_exceeded: {
    meaning:
      "The month's analyses are used up. `limit`, `count` and `resets_at` say how many and until when.",
    action: 'Wait for the new month, or upgrade with `POST /v1/billing/checkout-sessions`.',
    example:
      "This month's 100 analyses of the free plan are used up. Upgrade the plan, or wait until 2026-02-01 (UTC).",
  },
  email_exists: {
    meaning: 'The address already has an account.',
    action: 'Sign in with `POST /v1/auth/email/start` and create a key there.',
    example: 'This address already has an account. Sign in with a code sent by e-mail.',
  },
  conflict: {
    meaning: 'The request conflicts with the current state; `detail` says why.',
    action: 'Read `detail`, check the current state, and decide again.',
    example: 'You are already the owner of this workspace.',
  },
  already_finished: {
    meaning: 'The job has finished, so it can no longer be canceled.',
    action: 'Read its result.',
    example: 'This analysis is completed and cannot be canceled any more.',
  },
  not_finished: {
    meaning: 'The job has not finished yet.',
    action: 'Wait until its status is completed, failed or canceled.',
    example: 'This analysis is not finished. Ask again when its status is completed.',
  },
  no_webhook_endpoint: {
    meaning: 'There is no active webhook endpoint and the job has no webhook_url of its own.',
    action: 'Create an endpoint with `POST /v1/webhook-endpoints`.',
    example: 'No webhook is registered. Create a webhook endpoint, or submit with a webhook_url.',
  },
  owner_required: {
    meaning: 'A workspace always has an owner: the owner cannot leave, be removed or be given another role.',
    action: 'Transfer the ownership first.',
    example:
      'A workspace always has an owner: transfer the ownership first, then this member can be changed.',
  },
  already_member: {
    meaning: 'The invited address belongs to a member.',
    action: 'Nothing: the person is already a member.',
    example: 'This person is already a member of the workspace.',
  },
  already_invited: {
    meaning: 'The address has an invitation that is still pending.',
    action: 'Wait for it, or revoke it and invite again.',
    example: 'This address has a pending invitation. Revoke it to send another.',
  },
  object_not_uploaded: {
    meaning: 'The storage object has no file yet.',
    action: 'PUT the file to its signed_url first.',
    example: 'Nothing was uploaded yet. PUT the file to the signed_url of this storage object first.',
  },
  object_already_uploaded: {
    meaning: 'The slot already has its file, which cannot be overwritten.',
    action: 'Create a new storage object.',
    example: 'This storage object has its file. It takes only one; create a new storage object for another.',
  },
  endpoint_disabled: {
    meaning: 'The webhook endpoint is disabled.',
    action: 'Enable it with `PATCH /v1/webhook-endpoints/{endpoint_id}` and `{"status":"active"}`.',
    example: 'This endpoint is disabled. Enable it, then send a test.',
  },
  subscription_exists: {
    meaning: 'The workspace already has this plan.',
    action: 'Open the portal to change or end it.',
    example: 'This workspace is on the pro plan already. Open the portal to change or cancel it.',
  },
  payments_not_configured: {
    meaning: 'This installation has no payment provider, so nothing can be bought.',
    action: 'Nothing on your side. The operator sets STRIPE_SECRET_KEY, or ALLOW_SANDBOX_PAYMENTS to try it.',
    example:
      'This service has no payment provider: every workspace is on the free plan. Its operator can set STRIPE_SECRET_KEY, or ALLOW_SANDBOX_PAYMENTS=true for play money.',
  },
  idempotency_key_reused: {
    meaning: 'The Idempotency-Key was used with another request.',
    action: 'Use a new key for a new request, and the same request for the same key.',
    example: 'This Idempotency-Key was used with another request. Use a new key for a new request.',
  },
  idempotency_in_progress: {
    meaning: 'A request with this Idempotency-Key is still running.',
    action: 'Repeat the request after `Retry-After` to get the response to the first one.',
    example: 'A request with this Idempotency-Key is still running. Ask again in a moment.',
  },
  gone: {
    meaning: 'It existed once, but has expired or been used or deleted.',
    action: 'Create a new one.',
    example: 'This token has been used or has expired. Signing in by code verifies an address, too.',
  },
  precondition_failed: {
    meaning: 'It has changed since you read it: `If-Match` is no longer its `ETag`.',
    action: 'Read it again, apply your change to the current version, and send that with the new `ETag`.',
    example: 'This collection was changed since you read it. Read it again and repeat your change.',
  },
  payload_too_large: {
    meaning:
      'The body or file is larger than the route accepts: 50 MB for audio, 1 MiB for JSON, 4 KiB where no credentials are needed.',
    action: 'Send less, or compress the audio.',
    example: 'The file is larger than 50 MB. Send a shorter or compressed one.',
  },
  storage_quota_exceeded: {
    meaning: 'The storage of the plan is used up. The body has `limit_bytes` and `used_bytes`.',
    action: 'Analyse or delete uploaded files, stop retaining audio, or upgrade the plan.',
    example:
      'This workspace, on the free plan, may keep 500 MB; 480 MB are in use or being uploaded. Analyse or delete stored files, or upgrade the plan.',
  },
  unsupported_media: {
    meaning: 'The content is not audio in a format we read, or has a Content-Encoding that we do not accept.',
    action: 'Send WAV, AIFF, FLAC, MP3, Ogg Vorbis, Opus or M4A, without Content-Encoding.',
    example: 'The file is empty. Send an audio file such as WAV, FLAC, MP3, Ogg, Opus, M4A or AIFF.',
  },
  bad_signature: {
    meaning: 'The payment signature is missing, wrong or older than five minutes.',
    action: "Sign the raw body with the installation's secret and the current time.",
    example:
      'The signature is missing, wrong or older than five minutes. Sign the raw body with the secret of this endpoint.',
  },
  bad_request: {
    meaning: 'The request cannot be parsed at all.',
    action: 'Read `detail`: it names the part that could not be parsed.',
    example: 'The multipart body is broken. Send the file in a form field named "file".',
  },
  too_many_attempts: {
    meaning: 'Five wrong codes were entered for one sign-in challenge.',
    action: 'Request a new code with `POST /v1/auth/email/start`.',
    example:
      'Too many wrong codes: this challenge no longer accepts any code. Request a new one with POST /v1/auth/email/start.',
  },
  rate_limited: {
    meaning: 'Too many requests in the window that `RateLimit-Policy` names.',
    action: 'Wait as long as `Retry-After` says.',
    example: 'Too many requests. Wait as long as Retry-After says.',
  },
  internal: {
    meaning: 'A defect on our side.',
    action: 'Try again; if it persists, report it with the request id.',
    example: 'Something went wrong on our side. Try again; if it stays, tell us the request id.',
  },
  payment_provider_failed: {
    meaning: 'The call to the payment provider failed. Nothing was saved.',
    action: 'Try again in a minute.',
    example: 'The payment provider did not answer as expected. Nothing was changed; try again in a minute.',
  },
  unavailable: {
    meaning: 'The service cannot reach its database, or is starting or stopping.',
    action: 'Try again after `Retry-After`.',
    example: 'The service cannot reach its database right now. Try again in a few seconds.',
  },
  overloaded: {
    meaning: 'The service has more work than it can handle at the moment.',
    action: 'Try again after `Retry-After`.',
    example: 'This service has more requests than it can answer right now. Try again soon.',
  },
  storage_full: {
    meaning: 'The storage has no room for the file.',
    action: 'Try again later; the operator must make room.',
    example: 'The service has no room for this file right now. Try again later.',
  },
};

export const REFUSAL_MEANINGS: Record<RefusalType, ErrorMeaning> = {
  url_not_allowed: {
    meaning: 'The address does not lead to a public http or https server on an allowed port.',
    action: 'Use a public address. The operator can allow others with ALLOW_PRIVATE_TARGETS.',
    example: 'This address cannot be used. Give a public http or https address.',
  },
  provider_not_configured: {
    meaning: 'The enrichment provider is not set up in this installation.',
    action: 'Leave it out of `enrich`, or ask the operator to configure its key.',
    example:
      'The enrichment provider "acoustid" is not configured on this server. Leave it out of "enrich", or ask the operator to set ACOUSTID_API_KEY',
  },
};

/** Why an analysis failed, by the code of its job. */
export const FAILURE_MEANINGS: Record<FailureCode, string> = {
  unsupported_format: 'The file is not audio in a format we read.',
  corrupt_audio: 'It looks like audio, but ends or contradicts itself before anything could be decoded.',
  no_audio: 'The file is intact but contains no audio: no audio track, or no samples.',
  too_long: 'The audio is longer than this installation accepts.',
  too_large:
    "The file at the URL is larger than this installation accepts or than the room left in the workspace's storage, or decoding the file takes more memory than it may.",
  download_failed: 'The URL did not respond, or not with a file. Trying again may help.',
  download_forbidden:
    'The URL leads, perhaps through a redirect, to an address we do not call, or its server refused the request.',
  timed_out: 'The analysis exceeded its time limit.',
  internal: 'A defect on our side.',
  canceled:
    'It was canceled on request. The status is `canceled` on the workspace surface and `failed` on the key-based one.',
};
