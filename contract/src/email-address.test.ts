import { describe, expect, test } from 'vitest';
import { explainEmailAddress, normaliseEmailAddress } from './email-address.ts';

describe('explainEmailAddress', () => {
  test.each([
    'ada@example.com',
    ' ada@example.com ',
    "o'brien+tag@mail.example.co.uk",
    'a@b.c',
    'dev@earshot.test',
    `${'a'.repeat(64)}@example.com`,
    // 254 characters.
    `a@${'b.'.repeat(125)}cd`,
  ])('accepts %j', (address) => {
    expect(explainEmailAddress(address)).toBeNull();
  });

  // The messages were obtained by running email-validator 2 on each address.
  test.each([
    ['', 'An email address must have an @-sign.'],
    ['@b.com', 'There must be something before the @-sign.'],
    ['a@', 'There must be something after the @-sign.'],
    ['a@b', 'The part after the @-sign is not valid. It should have a period.'],
    ['a@b.', 'An email address cannot end with a period.'],
    ['a@b.c-', 'An email address cannot end with a hyphen.'],
    ['a@.b.com', 'An email address cannot have a period immediately after the @-sign.'],
    ['a@b..com', 'An email address cannot have two periods in a row.'],
    ['a..b@c.com', 'An email address cannot have two periods in a row.'],
    ['.a@b.com', 'An email address cannot start with a period.'],
    ['a.@b.com', 'An email address cannot have a period immediately before the @-sign.'],
    ['a b@c.com', 'The email address contains invalid characters before the @-sign: SPACE.'],
    ['a@b_c.com', "The part after the @-sign contains invalid characters: '_'."],
    ['a@-b.com', 'An email address cannot have a hyphen immediately after the @-sign.'],
    ['a@b-.com', 'An email address cannot have a period and a hyphen next to each other.'],
    ['"a b"@c.com', 'Quoting the part before the @-sign is not allowed here.'],
    ['a@[1.2.3.4]', 'A bracketed IP address after the @-sign is not allowed here.'],
    [
      'a@b.com\r\nBcc: x',
      "The part after the @-sign contains invalid characters: ':', SPACE, U+000A, U+000D.",
    ],
    ['a@b@c.com', "The part after the @-sign contains invalid characters: '@'."],
    ['a\0@b.com', 'The email address contains invalid characters before the @-sign: U+0000.'],
    ['a@b.123', 'The part after the @-sign is not valid. It is not within a valid top-level domain.'],
    [
      `a@${'b'.repeat(64)}.com`,
      'After the @-sign, periods cannot be separated by so many characters (1 character too many).',
    ],
  ])('refuses %j', (address, reason) => {
    expect(explainEmailAddress(address)).toBe(reason);
  });

  // The first two have a Cyrillic а.
  test.each([
    ['аda@example.com', 'The email address contains invalid characters before the @-sign: U+0430.'],
    ['ada@exаmple.com', 'The part after the @-sign contains invalid characters: U+0430.'],
    ['Ada <ada@example.com>', "The email address contains invalid characters before the @-sign: '<', SPACE."],
    [`${'a'.repeat(65)}@b.com`, 'The email address is too long before the @-sign (1 character too many).'],
    [`aa@${'b.'.repeat(125)}cd`, 'The email address is too long (1 character too many).'],
  ])('refuses look-alikes, display names and excessive lengths: %j', (address, reason) => {
    expect(explainEmailAddress(address)).toBe(reason);
  });
});

test('normaliseEmailAddress lower-cases the domain alone', () => {
  expect(normaliseEmailAddress(' Ada.L@EXAMPLE.Com ')).toBe('Ada.L@example.com');
});
