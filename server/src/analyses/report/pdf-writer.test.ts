import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createPdfWriter } from './pdf-writer.ts';

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

it('is another version when its program is, or a package that the program uses', () => {
  const program = 'server/dist/pdf-process.js';
  expect(createPdfWriter().version()).toBe(sha256Of(program));
  expect(readFileSync(program, 'utf8')).toContain(sha256Of('package-lock.json'));
});
