/**
 * What schemathesis reports against the service and what is meant so, each with its reason. `npm run test:schema` fails on
 * anything else, and writes this list into the page of docs/ on interface fuzzing.
 *
 * An exception names the check, the operations and, where that is still too wide, the status or words of the answer, or what schemathesis says.
 */
export const EXCEPTIONS = [
  {
    check: 'positive_data_acceptance',
    operations: /^POST \/(webhooks|v1\/billing)\/(payment|stripe)(\/webhook)?$/,
    status: 400,
    reason: "A made-up body has no signature of the provider's; nothing without one is taken.",
  },
  {
    check: 'positive_data_acceptance',
    operations: /^POST \/v1\/(demo\/)?analyze\/upload$|^PUT \/v1\/storage-objects\//,
    status: 415,
    reason: 'Any bytes are a file to the document; bytes that are no audio are refused at once.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /^POST \/verify-email$/,
    status: 410,
    reason:
      'The form behind a mailed link: a made-up token is answered as a used-up one, on a page for people.',
  },
  {
    check: 'negative_data_rejection',
    operations: /^POST \/verify-email$/,
    status: 410,
    reason: 'The same page for a form without a token; the check does not count 410 as a refusal.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /^(PATCH|PUT|POST) \/v1\/collections\//,
    status: 412,
    reason: 'A made-up `If-Match` names no version of the collection.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /^GET \/v1\/analyses$/,
    status: 422,
    answer: /this is no cursor of this list/,
    reason: 'A cursor is opaque to the document; one we never gave out is refused.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /./,
    status: 422,
    answer: /value is not a valid email address/,
    reason:
      "`format: email` allows domains of more than 189 characters and others that no mail reaches; they are refused in email-validator's words.",
  },
  {
    check: 'positive_data_acceptance',
    operations: /./,
    status: 422,
    answer: /"type":"url_not_allowed"|"type":"url_parsing"/,
    reason:
      '`format: uri` allows addresses that we do not call: private ones, other ports, hosts that cannot be.',
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
    reason: 'JSON Schema has no words for one number that must not exceed another (hints).',
  },
  {
    check: 'positive_data_acceptance',
    operations: /\/collections/,
    status: 422,
    answer: /there is no such song in this workspace|a song is in a collection once/,
    reason: 'Made-up ids name no song, and a set has each song once.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /\/result$/,
    status: 422,
    answer: /there is no (group|part)/,
    reason: '`groups` and `without` are lists in one text, which the document describes in words.',
  },
  {
    check: 'positive_data_acceptance',
    operations: /^POST \/v1\/account\/analyses$/,
    status: 422,
    answer: /it differs from the header Idempotency-Key/,
    reason:
      'The key in the header and the key in the body have to agree; a schema sees only one of them at a time.',
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
    reason: 'NUL and halves of surrogate pairs are no text a database can hold.',
  },
  {
    check: 'negative_data_rejection',
    operations: /./,
    status: 413,
    reason: 'A body too large for its route is refused unread; the check does not count 413 as a refusal.',
  },
  {
    check: 'negative_data_rejection',
    operations: /^PATCH \/v1\/account\/profile$/,
    status: 200,
    message: /in body - notification_preferences -> \w+: Incorrect type$/,
    reason:
      'Pydantic reads `0`, `1` and `"yes"` as booleans, and so do we; the document names the type we answer with.',
  },
  {
    check: 'negative_data_rejection',
    operations: /^PATCH \/v1\/analyses\/\{job_id\}$/,
    status: 200,
    message: /in body - rating: Incorrect type$/,
    reason:
      'Pydantic reads `"4"` and `false` as whole numbers, and so do we; the document names the type we answer with.',
  },
];

/** The exception a failure falls under, or undefined. */
export function exceptionFor(failure) {
  return EXCEPTIONS.find(
    ({ check, operations, status, answer, message }) =>
      check === failure.check &&
      operations.test(failure.operation) &&
      (status === undefined || status === failure.status) &&
      (answer === undefined || answer.test(failure.answer)) &&
      (message === undefined || message.test(failure.message)),
  );
}
