import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readCorpus } from './corpus.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-corpus-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('reads every annotation except the manifest, sorted by name', () => {
  const truth = (name: string) => ({ id: name, audio: `${name}.ogg`, duration: 30 });
  for (const name of ['b', 'a', 'manifest'])
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(truth(name)));
  writeFileSync(join(folder, 'a.ogg'), '');
  expect(readCorpus(folder)).toEqual(
    ['a', 'b'].map((id) => ({ id, audioPath: join(folder, `${id}.ogg`), truth: truth(id) })),
  );
});
