import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces the part of a page between `<!-- name: begin -->` and `<!-- name: end -->`; the page must have it. */
export function replaceSection(path, name, text) {
  const page = readFileSync(path, 'utf8');
  const [start, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const pattern = new RegExp(`${start}[\\s\\S]*${end}`);
  if (!pattern.test(page)) throw new Error(`${path} has no section ${name}`);
  // A function, because $ has a meaning in a replacement text.
  writeFileSync(
    path,
    page.replace(pattern, () => `${start}\n${text}\n${end}`),
  );
}
