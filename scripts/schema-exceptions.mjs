/**
 * Failures reported by schemathesis that are intended behaviour, each with its reason. `npm run test:schema` fails on anything else, and
 * writes this list to docs/interface-fuzzing.md.
 *
 * An exception names the check, the operations and, where that is too broad, the status, the text of the response or the message of
 * schemathesis.
 */
export const EXCEPTIONS = [
  {
    check: 'positive_data_acceptance',
    operations: /^POST \/(webhooks|v1\/billing)\/(payment|stripe)(\/webhook)?$/,
    status: 400,
    reason: "A generated body lacks the provider's signature, without which nothing is accepted.",
  },
  {
    check: 'positive_data_acceptance',
    operations: /^POST \/v1\/(demo\/)?analyze\/upload$|^PUT \/v1\/storage-objects\//,
    status: 415,
    reason: 'To the document, any bytes are a file; bytes that are not audio are refused at once.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /^POST \/verify-email$/,
    status: 410,
    reason:
      'The form behind a mailed link: an invalid token is treated like a used one, with a page for people.',
  },
  {
    check: 'negative_data_rejection',
    operations: /^POST \/verify-email$/,
    status: 410,
    reason: 'The same page for a form without a token; the check does not count 410 as a rejection.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /^(PATCH|PUT) \/v1\/collections\//,
    status: 412,
    reason: 'A generated `If-Match` names no version of the collection.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /^GET \/v1\/analyses$/,
    status: 422,
    answer: /this is no cursor of this list/,
    reason: 'A cursor is opaque to the document; one we did not issue is refused.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /./,
    status: 422,
    answer: /value is not a valid email address/,
    reason:
      "`format: email` allows domains of more than 189 characters and others that cannot receive mail; they are refused with email-validator's messages.",
  },
  {
    check: 'positive_data_acceptance',
    operations: /./,
    status: 422,
    answer: /"type":"url_not_allowed"|"type":"url_parsing"/,
    reason:
      '`format: uri` allows addresses that we do not call: private ones, other ports, impossible hosts.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /./,
    status: 422,
    answer: /"type":"provider_not_configured"/,
    reason: 'The service under test has no enrichment provider, and says so.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /./,
    status: 422,
    answer: /must not be above|must lie between/,
    reason: 'JSON Schema cannot express that one number must not exceed another (hints).',
  },
  {
    check: 'positive_data_acceptance',
    operations: /\/collections/,
    status: 422,
    answer: /there is no such song in this workspace|a song is in a collection once/,
    reason: 'Generated ids name no song, and a collection has each song once.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /\/result$/,
    status: 422,
    answer: /there is no (group|part)/,
    reason: '`groups` and `without` are comma-separated lists, which the document describes in words.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /^POST \/v1\/account\/analyses$/,
    status: 422,
    answer: /it differs from the header Idempotency-Key/,
    reason: 'The keys in the header and in the body have to agree; a schema sees only one of them.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /\/events$/,
    status: 422,
    answer: /"loc":\["header","last-event-id"\]/,
    reason: 'schemathesis sends `last-event-id: 0` as valid, although the documented pattern excludes it.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /^POST \/mcp$/,
    reason: 'The document describes the envelope of a message; the rest is the Model Context Protocol.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /./,
    status: 422,
    answer: /cannot hold the NUL character|"type":"string_unicode"/,
    reason: 'PostgreSQL cannot store NUL or unpaired surrogates.',
  },
  {
    check: 'negative_data_rejection',
    operations: /./,
    status: 413,
    reason: 'A body too large for its route is refused unread; the check does not count 413 as a rejection.',
  },
  {
    check: 'negative_data_rejection',
    operations: /^PATCH \/v1\/account\/profile$/,
    status: 200,
    message: /in body - notification_preferences -> \w+: Incorrect type$/,
    reason:
      'Pydantic reads `0`, `1` and `"yes"` as booleans, and so do we; the document names the type of the response.',
  },
  {
    check: 'negative_data_rejection',
    operations: /^PATCH \/v1\/analyses\/\{job_id\}$/,
    status: 200,
    message: /in body - rating: Incorrect type$/,
    reason:
      'Pydantic reads `"4"` and `false` as whole numbers, and so do we; the document names the type of the response.',
  },
];

/** The exception that covers a failure; null if there is none. */
export function exceptionFor(failure) {
  const found = EXCEPTIONS.find(
    ({ check, operations, status, answer, message }) =>
      check === failure.check &&
      operations.test(failure.operation) &&
      (status === undefined || status === failure.status) &&
      (answer === undefined || answer.test(failure.answer)) &&
      (message === undefined || message.test(failure.message)),
  );
  return found ?? null;
}
