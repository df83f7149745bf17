import { describe, expect, it } from 'vitest';
import { EnvironmentReader } from './environment.ts';

/** Reads one variable, here called X, and returns its value and the recorded problem. */
function read(value: string | undefined, get: (reader: EnvironmentReader) => unknown) {
  const reader = new EnvironmentReader({ X: value });
  const parsed = get(reader);
  try {
    reader.throwIfAny();
    return [parsed, null];
  } catch (error) {
    return [parsed, (error as Error).message.split('\n')[1]?.trim()];
  }
}

const choices = ['red', 'green'] as const;
const methods: [string, (reader: EnvironmentReader) => unknown][] = [
  ['text', (reader) => reader.text('X')],
  ['integer', (reader) => reader.integer('X', { min: 1, max: 9 })],
  ['integers', (reader) => reader.integers('X', { min: 1, max: 9 })],
  ['flag', (reader) => reader.flag('X')],
  ['oneOf', (reader) => reader.oneOf('X', choices)],
  ['someOf', (reader) => reader.someOf('X', choices)],
  ['url', (reader) => reader.url('X', ['http:', 'https:'])],
  ['cidrs', (reader) => reader.cidrs('X')],
  ['origins', (reader) => reader.origins('X')],
  ['servers', (reader) => reader.servers('X')],
];
const methodOf = Object.fromEntries(methods);

it.each(methods)('%s reads a missing and an empty variable as null, without a problem', (_, get) => {
  for (const value of [undefined, '', ' ']) expect(read(value, get)).toEqual([null, null]);
});

it.each([
  ['text', ' a b ', 'a b'],
  ['integer', '1', 1],
  ['integer', '9', 9],
  ['integers', '9, 1,', [9, 1]],
  ['flag', 'TRUE', true],
  ['flag', '1', true],
  ['flag', 'yes', true],
  ['flag', 'on', true],
  ['flag', 'False', false],
  ['flag', '0', false],
  ['flag', 'no', false],
  ['flag', 'off', false],
  ['oneOf', 'green', 'green'],
  ['someOf', 'green,red', ['green', 'red']],
  ['url', 'https://u:p@example.com/x', 'https://u:p@example.com/x'],
  ['cidrs', '10.0.0.0/8, 10.1.2.3, ::1', ['10.0.0.0/8', '10.1.2.3/32', '::1/128']],
  ['origins', '*,https://a.example:8443', ['*', 'https://a.example:8443']],
  [
    'servers',
    '9.9.9.9,9.9.9.9:65535,2620:fe::9,[2620:fe::9],[2620:fe::9]:1',
    ['9.9.9.9', '9.9.9.9:65535', '2620:fe::9', '[2620:fe::9]', '[2620:fe::9]:1'],
  ],
])('%s reads %j as %j', (method, value, expected) => {
  expect(read(value, methodOf[method]!)).toEqual([expected, null]);
});

const range = 'an address range like 10.0.0.0/8 or ::1/128';
const origin = 'an origin like https://app.example.com';
const server = 'a server like 9.9.9.9, 10.0.0.2:53 or [2620:fe::fe]:53';

describe('a bad value is a problem and left out:', () => {
  it.each([
    ['integer', '0', null, 'X is "0", not a whole number from 1 to 9'],
    ['integer', '10', null, 'X is "10", not a whole number from 1 to 9'],
    ['integer', '1.5', null, 'X is "1.5", not a whole number from 1 to 9'],
    ['integer', '0x1', null, 'X is "0x1", not a whole number from 1 to 9'],
    ['integers', '2,x', [2], 'X contains "x", not a whole number from 1 to 9'],
    ['flag', 'maybe', null, 'X is "maybe", not true or false'],
    ['oneOf', 'blue', null, 'X is "blue", not one of red, green'],
    ['someOf', 'blue,red', ['red'], 'X contains "blue", not one of red, green'],
    ['url', 'ftp://u:p@example.com', null, 'X is not an address that begins with http:// or https://'],
    ['url', 'example.com', null, 'X is not an address that begins with http:// or https://'],
    ['cidrs', '10.0.0.0/33,::1', ['::1/128'], `X contains "10.0.0.0/33", not ${range}`],
    ['origins', 'https://a.example/', [], `X contains "https://a.example/", not ${origin}`],
    ['servers', 'dns.example', [], `X contains "dns.example", not ${server}`],
    ['servers', '9.9.9.9:0', [], `X contains "9.9.9.9:0", not ${server}`],
    ['servers', '9.9.9.9:65536', [], `X contains "9.9.9.9:65536", not ${server}`],
  ])('%s of %j', (method, value, expected, problem) => {
    expect(read(value, methodOf[method]!)).toEqual([expected, problem]);
  });
});

it('counts the characters of a text without the spaces around it', () => {
  const withMin = (reader: EnvironmentReader) => reader.text('X', { lengthMin: 3 });
  expect(read('abc', withMin)).toEqual(['abc', null]);
  expect(read(' ab ', withMin)).toEqual([null, 'X is too short: at least 3 characters']);
});

it('does not read an integer that would be rounded', () => {
  const digits = '9'.repeat(16);
  const get = (reader: EnvironmentReader) => reader.integer('X', { min: 0, max: Number.MAX_VALUE });
  expect(read(digits.slice(1), get)).toEqual([999_999_999_999_999, null]);
  expect(read(digits, get)[0]).toBeNull();
});

it('reports all problems at once', () => {
  const reader = new EnvironmentReader({ A: 'x', B: 'y' });
  reader.flag('A');
  reader.flag('B');
  expect(() => reader.throwIfAny()).toThrow(
    'The configuration has 2 problems:\n  A is "x", not true or false\n  B is "y", not true or false',
  );
});
