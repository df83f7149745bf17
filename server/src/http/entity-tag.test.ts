import { expect, it } from 'vitest';
import { tagOf, versionsOf, versionTagOf } from './entity-tag.ts';

it('is weak, and the start of the SHA-256 of the content', () => {
  // The first 27 characters of the hash of "abc" (FIPS 180-2, B.1) in base64url.
  expect(tagOf('abc')).toBe('W/"ungWv48Bz-pBQUDeXa4iI7ADYaO"');
  expect(tagOf(Buffer.from('abc'))).toBe(tagOf('abc'));
  expect(tagOf('abd')).not.toBe(tagOf('abc'));
});

it.each([
  [undefined, null],
  ['*', null],
  [versionTagOf({ version: 7 }), [7]],
  ['W/"7", "8"', [7, 8]],
  ['"seven"', []],
])('If-Match %s names the versions %j', (header, versions) => {
  expect(versionsOf(header)).toEqual(versions);
});
