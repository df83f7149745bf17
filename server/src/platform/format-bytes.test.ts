import { expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';

it.each([
  [50_000_000, '50 MB'],
  [20_000_000, '20 MB'],
  [1_048_576, '1 MiB'],
  [65_536, '64 KiB'],
  [1_500_000, '1500 kB'],
  [2_000_000_000, '2 GB'],
  [1_234, '1234 bytes'],
  [0, '0 bytes'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
