import { expect, test } from 'vitest';
import { limitSubjectOf } from './client-address.ts';

test('an IPv4 address is its own subject, even when mapped into IPv6', () => {
  expect(limitSubjectOf('203.0.113.7')).toBe('203.0.113.7');
  expect(limitSubjectOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
});

test('an IPv6 /64 is one subject', () => {
  expect(limitSubjectOf('2001:db8:1:2::1')).toBe(limitSubjectOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  expect(limitSubjectOf('2001:db8:1:2::1')).not.toBe(limitSubjectOf('2001:db8:1:3::1'));
});

test('text that is no address is its own subject', () => {
  expect(limitSubjectOf('unknown')).toBe('unknown');
});
