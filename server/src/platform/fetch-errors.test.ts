import { expect, it } from 'vitest';
import { asFetchFailed, FetchFailed } from './fetch-errors.ts';

const withCode = (code: string) => Object.assign(new Error('as Node throws it'), { code });
const named = (name: string) => Object.assign(new Error('as Node throws it'), { name });
const tls = (detail: string) => `The secure connection failed: ${detail}`;

it.each([
  ['ENOTFOUND', 'dns', 'The host name could not be resolved'],
  ['EAI_AGAIN', 'dns', 'The host name could not be resolved'],
  ['ENODATA', 'dns', 'The host name could not be resolved'],
  ['ESERVFAIL', 'dns', 'The host name could not be resolved'],
  ['ETIMEOUT', 'timeout', 'The host did not answer in time'],
  ['ETIMEDOUT', 'timeout', 'The host did not answer in time'],
  ['ABORT_ERR', 'aborted', 'The request was aborted'],
  ['ECONNREFUSED', 'connect', 'The host did not accept the connection'],
  ['EHOSTUNREACH', 'connect', 'The host did not accept the connection'],
  ['ENETUNREACH', 'connect', 'The host did not accept the connection'],
  ['EADDRNOTAVAIL', 'connect', 'The host did not accept the connection'],
  ['EACCES', 'connect', 'The host did not accept the connection'],
  ['ECONNRESET', 'protocol', 'The answer was broken off or is not valid HTTP'],
  ['EPIPE', 'protocol', 'The answer was broken off or is not valid HTTP'],
  ['HPE_INVALID_CONSTANT', 'protocol', 'The answer was broken off or is not valid HTTP'],
  ['CERT_HAS_EXPIRED', 'tls', tls('the certificate has expired')],
  ['CERT_NOT_YET_VALID', 'tls', tls('the certificate is not valid yet')],
  ['CERT_REVOKED', 'tls', tls('the certificate was revoked')],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', tls('the certificate is self-signed')],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'tls',
    tls('the certificate is not signed by a known authority, or its chain is incomplete'),
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', tls('the certificate is for another name')],
  ['HOSTNAME_MISMATCH', 'tls', tls('the certificate is for another name')],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'tls',
    tls('the certificate is not signed by a known authority, or its chain is incomplete'),
  ],
  ['EPROTO', 'tls', tls('TLS 1.2 or newer is needed')],
  ['ERR_SSL_NO_PROTOCOLS_AVAILABLE', 'tls', tls('TLS 1.2 or newer is needed')],
  ['CERT_UNTRUSTED', 'tls', tls('the certificate or the protocol was not accepted')],
] as const)('the code %s is a failure of kind %s', (code, reason, message) => {
  const cause = withCode(code);
  expect(asFetchFailed(cause, 'redirects')).toMatchObject({ name: 'FetchFailed', reason, message, cause });
});

it.each([
  ['AbortError', 'aborted'],
  ['TimeoutError', 'timeout'],
] as const)('the name %s is a failure of kind %s', (name, reason) => {
  expect(asFetchFailed(named(name), 'connect').reason).toBe(reason);
});

it('classifies an error by its cause', () => {
  const wrapped = new Error('fetch failed', { cause: withCode('CERT_HAS_EXPIRED') });
  expect(asFetchFailed(wrapped, 'connect')).toMatchObject({
    reason: 'tls',
    message: tls('the certificate has expired'),
  });
});

it.each([new Error('unknown'), withCode('EUNKNOWN'), 'no error', null])(
  '%s has the given reason',
  (error) => {
    expect(asFetchFailed(error, 'protocol').reason).toBe('protocol');
  },
);

it('keeps a failure that is already classified', () => {
  const failed = new FetchFailed('dns', 'The name has no address');
  expect(asFetchFailed(failed, 'connect')).toBe(failed);
});
