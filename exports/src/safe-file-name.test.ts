import { expect, it } from 'vitest';
import { safeFileName } from './safe-file-name.ts';

it.each([
  ['AC/DC: "Who made Who?"', 'AC_DC_ _Who made Who__'],
  ['a\\b|c*d<e>f\0g\nh', 'a_b_c_d_e_f_g_h'],
  ['Zoë – 第一楽章', 'Zoë – 第一楽章'],
  // 200 bytes are 66 characters of three bytes, and not a part of the next one.
  ['聽'.repeat(300), '聽'.repeat(66)],
])('%j becomes %j', (text, name) => {
  expect(safeFileName(text)).toBe(name);
});
