import { expect, it } from 'vitest';
import { formatCsvRow } from './csv.ts';

// RFC 4180: cells with a comma, a quote or a line break are quoted, and a quote in them is doubled.
it.each([
  [['a', 1.5, null], 'a,1.5,\r\n'],
  [['a,b', 'c"d', 'e\nf', 'g\rh'], '"a,b","c""d","e\nf","g\rh"\r\n'],
  [[-3], '-3\r\n'],
])('writes %j', (cells, line) => {
  expect(formatCsvRow(cells)).toBe(line);
});

it.each(['=1+1', '+1', '-intro.mp3', '@home', '\tx', '\rx'])(
  'puts an apostrophe before the text %j, which a spreadsheet would run',
  (text) => {
    expect(formatCsvRow([text])).toContain(`'${text}`);
  },
);
