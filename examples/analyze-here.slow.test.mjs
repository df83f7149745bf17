import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { wavBytes } from '../scripts/wav-bytes.mjs';
import { analyzeFolder } from './analyze-here.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-examples-'));
  writeFileSync(join(folder, 'silence.wav'), wavBytes(new Int16Array(22_050), { sampleRateHz: 22_050 }));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it('names a single song also beside a broken link', { timeout: 60_000 }, () => {
  symlinkSync(join(folder, 'gone'), join(folder, 'link'));
  expect(analyzeFolder(folder).map(({ path }) => path)).toEqual([join(folder, 'silence.wav')]);
});

// Other systems refuse names that are not UTF-8.
it.runIf(process.platform === 'linux')('reports each file that is left out', { timeout: 60_000 }, () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  writeFileSync(join(folder, 'text.wav'), 'Dear friend, this is not a song.');
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.wav')]), '');
  expect(analyzeFolder(folder).map(({ path }) => path)).toEqual([join(folder, 'silence.wav')]);
  const lines = logged.mock.calls.map(([line]) => line).sort();
  expect(lines).toEqual([
    expect.stringMatching(/text\.wav: ./),
    expect.stringMatching(/\ufffd\.wav cannot be opened: its name is not UTF-8\.$/),
  ]);
});
