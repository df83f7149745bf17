import { expect, it } from 'vitest';
import { isDatabaseUnavailable } from './postgres-errors.ts';

const failure = (code: string) => Object.assign(new Error('refused'), { code });

it.each([
  ['the connection broke', '08006'],
  ['no connection is free', '53300'],
  ['the disk is full', '53100'],
  ['it is shutting down', '57P01'],
  ['a statement took too long', '57014'],
  ['it is read-only', '25006'],
  ['too long between two statements of a transaction', '25P03'],
  ['somebody holds the lock', '55P03'],
  ['nobody listens', 'ECONNREFUSED'],
])('is a passing failure: %s', (_what, code) => {
  expect(isDatabaseUnavailable(failure(code))).toBe(true);
});

it.each([
  ['a row is there already', '23505'],
  ['no such column', '42703'],
  ['a transaction that has failed before', '25P02'],
])('is a defect: %s', (_what, code) => {
  expect(isDatabaseUnavailable(failure(code))).toBe(false);
});
