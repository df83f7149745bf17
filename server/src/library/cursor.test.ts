import { expect, it } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';

const keys = { secretKey: 'the secret key of every test in this house', secretKeySecond: null };
const search = ['ws_1', { genre: ['house'] }, '-bpm'];
const position = { value: 124.5, id: 'job_1' };
const cursor = writeCursor(keys, search, position);

it.each([position, { value: 'für elise', id: 'job_2' }, { value: null, id: 'job_3' }])(
  'reads back the position it was written for: %j',
  (given) => {
    expect(readCursor(keys, search, writeCursor(keys, search, given))).toEqual(given);
  },
);

it.each([
  ['another search', readCursor(keys, ['ws_2', { genre: ['house'] }, '-bpm'], cursor)],
  [
    'another secret',
    readCursor({ ...keys, secretKey: 'another secret key than that of the tests' }, search, cursor),
  ],
  ['another position under the same signature', readCursor(keys, search, forged())],
  ['nothing', readCursor(keys, search, '')],
  ['invalid base64', readCursor(keys, search, '%%%')],
])('refuses a cursor of %s', (_, read) => {
  expect(read).toBeNull();
});

it('stays valid when the secret changes, as long as the old one is the second key', () => {
  const changed = { secretKey: 'the next secret key of every test here', secretKeySecond: keys.secretKey };
  expect(readCursor(changed, search, cursor)).toEqual(position);
});

function forged(): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return Buffer.from(text.replace('job_1', 'job_9')).toString('base64url');
}
