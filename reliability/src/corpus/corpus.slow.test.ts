import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { type CorpusFile, generateCorpus } from './corpus.ts';

const FORMATS = 7;

async function generate(seed: string): Promise<(Pick<CorpusFile, 'name' | 'family'> & { sha256: string })[]> {
  const files = [];
  for await (const { name, family, bytes } of generateCorpus(createRandom(seed), '/nowhere/canary.wav'))
    files.push({ name, family, sha256: createHash('sha256').update(bytes).digest('hex') });
  return files;
}

it('has files of every family with distinct names, and is the same for the same seed', async () => {
  const files = await generate('a');
  const countOf = (family: CorpusFile['family']) => files.filter((file) => file.family === family).length;
  // 50 files for each of four counts of flipped bits; 30 cuts in the headers and 30 through the file.
  expect([countOf('bit flips'), countOf('truncation')]).toEqual([FORMATS * 4 * 50, FORMATS * 60]);
  // Counted; it changes with the list in structured-files.ts.
  expect(countOf('structured')).toBe(148);
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  expect(await generate('a')).toEqual(files);
  const others = new Set((await generate('b')).map(({ sha256 }) => sha256));
  const flipped = files.filter(({ family }) => family === 'bit flips');
  // Two seeds may flip the same single bit of a small file, but that is rare: one file in fifty is far more than chance.
  expect(flipped.filter(({ sha256 }) => others.has(sha256)).length).toBeLessThan(flipped.length / 50);
});

it('changes the header of every MP3 frame, also after frames with a padding byte', async () => {
  const modesOf = (frames: Buffer) => {
    const modes: number[] = [];
    for (let at = 0; frames[at] === 0xff; at += 417 + ((frames[at + 2]! >> 1) & 1))
      modes.push(frames[at + 3]! >> 6);
    return modes;
  };
  for await (const { name, bytes } of generateCorpus(createRandom('a'), '/nowhere/canary.wav')) {
    if (name !== 'mp3: mono from the middle') continue;
    const halfBytes = bytes.length / 2;
    // The 18 frames of the fixture are in joint stereo, 1; mono is 3.
    expect(modesOf(bytes.subarray(0, halfBytes))).toEqual(Array(18).fill(1));
    expect(modesOf(bytes.subarray(halfBytes))).toEqual(Array(18).fill(3));
    return;
  }
  expect.unreachable('no such file');
});
