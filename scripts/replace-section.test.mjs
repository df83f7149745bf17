import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { replaceSection } from './replace-section.mjs';

const folder = mkdtempSync(join(tmpdir(), 'earshot-replace-section-'));
const page = join(folder, 'page.md');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() =>
  writeFileSync(page, 'a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n<!-- y: begin -->\n<!-- y: end -->\n'),
);

it('replaces the named section alone, and takes $ as a plain character', () => {
  replaceSection(page, 'x', '$& costs');
  replaceSection(page, 'y', 'new');
  expect(readFileSync(page, 'utf8')).toBe(
    'a\n<!-- x: begin -->\n$& costs\n<!-- x: end -->\nb\n<!-- y: begin -->\nnew\n<!-- y: end -->\n',
  );
});

it('rejects a page without the section', () => {
  expect(() => replaceSection(page, 'z', 'new')).toThrow('has no section z');
});
