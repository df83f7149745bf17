import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createPdfWriter } from './pdf-writer.ts';

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

it('has a version that changes with its program and the packages in it', () => {
  const program = 'server/dist/pdf-process.js';
  expect(createPdfWriter().version()).toBe(sha256Of(program));
  expect(readFileSync(program, 'utf8')).toContain(sha256Of('package-lock.json'));
});
