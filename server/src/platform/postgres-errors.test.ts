import { expect, it } from 'vitest';
import { isDatabaseUnavailable, rethrowAsUnavailable } from './postgres-errors.ts';

const failure = (code: string) => Object.assign(new Error('refused'), { code });

it.each([
  ['the connection broke', '08006'],
  ['no connection is free', '53300'],
  ['the disk is full', '53100'],
  ['it is shutting down', '57P01'],
  ['it crashed', '57P02'],
  ['it is starting', '57P03'],
  ['the session was idle for too long', '57P05'],
  ['a statement took too long', '57014'],
  ['it is read-only', '25006'],
  ['too long between two statements of a transaction', '25P03'],
  ['another transaction holds the lock', '55P03'],
  ['nothing listens on its port', 'ECONNREFUSED'],
  ['its socket does not exist', 'ENOENT'],
  ['the connection was reset', 'ECONNRESET'],
  ['the connection was closed', 'EPIPE'],
  ['it does not answer', 'ETIMEDOUT'],
  ['the queue of its socket is full', 'EAGAIN'],
  ['its host is unreachable', 'EHOSTUNREACH'],
  ['its network is unreachable', 'ENETUNREACH'],
  ['the name server does not answer', 'EAI_AGAIN'],
  ['its name does not resolve yet', 'ENOTFOUND'],
])('is transient: %s', (_what, code) => {
  expect(isDatabaseUnavailable(failure(code))).toBe(true);
});

it.each([
  ['the row already exists', '23505'],
  ['the column does not exist', '42703'],
  ['the transaction had already failed', '25P02'],
  ['a statement got the wrong number of parameters', '08P01'],
  ['the database was dropped', '57P04'],
])('is a defect: %s', (_what, code) => {
  expect(isDatabaseUnavailable(failure(code))).toBe(false);
});

it.each([
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
])('recognizes the message of an error without a code: %s', (message) => {
  expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  expect(isDatabaseUnavailable(new Error(`not ${message}`))).toBe(false);
  expect(isDatabaseUnavailable(message)).toBe(false);
});

it('rethrows a transient failure as unavailable, and a defect unchanged', () => {
  const [transient, defect] = [failure('08006'), failure('42703')];
  expect(() => rethrowAsUnavailable(transient)).toThrow(
    expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 5, cause: transient }),
  );
  expect(() => rethrowAsUnavailable(defect)).toThrow(defect);
});
