import { expect, it } from 'vitest';
import { formatMoney } from './money.ts';

it.each([
  ['eur', '€19.50'],
  // The yen has no subunit, the Bahraini dinar has a thousand.
  ['jpy', '¥1,950'],
  ['bhd', 'BHD 1.950'],
])('1,950 of the smallest units of %s are %s', (currency, text) => {
  expect(formatMoney(1_950, currency).replace(/\s/g, ' ')).toBe(text);
});
