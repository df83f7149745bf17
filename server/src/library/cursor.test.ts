import { expect, it } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';

const keys = { secretKey: 'the secret key of every test in this house', secretKeySecond: null };
const question = ['ws_1', { genre: ['house'] }, '-bpm'];
const position = { value: 124.5, id: 'job_1' };
const cursor = writeCursor(keys, question, position);

it.each([position, { value: 'für elise', id: 'job_2' }, { value: null, id: 'job_3' }])(
  'gives the position back that it was made of: %j',
  (given) => {
    expect(readCursor(keys, question, writeCursor(keys, question, given))).toEqual(given);
  },
);

it.each([
  ['another question', readCursor(keys, ['ws_2', { genre: ['house'] }, '-bpm'], cursor)],
  [
    'another secret',
    readCursor({ ...keys, secretKey: 'another secret key than that of the tests' }, question, cursor),
  ],
  ['another position under the same signature', readCursor(keys, question, forged())],
  ['nothing', readCursor(keys, question, '')],
  ['what is no base64', readCursor(keys, question, '%%%')],
])('of %s is none', (_, read) => {
  expect(read).toBeNull();
});

it('outlives the change of the secret, while the old one is the second', () => {
  const changed = { secretKey: 'the next secret key of every test here', secretKeySecond: keys.secretKey };
  expect(readCursor(changed, question, cursor)).toEqual(position);
});

function forged(): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return Buffer.from(text.replace('job_1', 'job_9')).toString('base64url');
}
