import { expect, it } from 'vitest';
import { explainFetchFailure } from './explain-fetch-failure.ts';

const refused = new Error('connect ECONNREFUSED ::1:9');
const withCode = (error: Error) => Object.assign(error, { code: 'ECONNREFUSED' });

it.each([
  ['one address', withCode(refused), 'connect ECONNREFUSED ::1:9'],
  ['several addresses', withCode(new AggregateError([refused, refused])), 'ECONNREFUSED'],
  ['no cause, as after a time limit', undefined, 'fetch failed'],
])('a failure with %s', (_, cause, reason) => {
  expect(explainFetchFailure(new TypeError('fetch failed', { cause }))).toBe(reason);
});
