import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../random.ts';
import { REPOSITORY } from '../repository.ts';
import { makeTone } from '../tone.ts';
import { aiffOf } from './riff-files.ts';
import { structuredFiles } from './structured-files.ts';

/** One broken, lying or hostile file. Made when it is needed; the repository holds only how. */
export type CorpusFile = { name: string; family: 'bit flips' | 'truncation' | 'structured'; bytes: Buffer };

const FLIPS = [1, 8, 64, 512];
const SEEDS_PER_FLIP = 50;
const CUTS_PER_FORMAT = 60;

async function readFormats(): Promise<Record<string, Buffer>> {
  const fixture = (name: string) => readFile(join(REPOSITORY, 'decode', 'fixtures', name));
  const tone = makeTone({ toneHz: 440 });
  return {
    wav: tone,
    aiff: aiffOf(tone.subarray(44)),
    flac: await fixture('flac16.flac'),
    mp3: await fixture('lame.mp3'),
    vorbis: await fixture('vorbis.ogg'),
    opus: await fixture('opus.ogg'),
    m4a: await fixture('aac-moov-last.m4a'),
  };
}

/** C1 to C3 of the catalogue, the same for the same seed. */
export async function* generateCorpus(random: Random, canaryPath: string): AsyncGenerator<CorpusFile> {
  const formats = Object.entries(await readFormats());
  for (const [format, bytes] of formats) {
    for (const flips of FLIPS) {
      for (let seed = 0; seed < SEEDS_PER_FLIP; seed += 1) {
        const name = `${format}, ${flips} bits flipped, ${seed}`;
        yield { name, family: 'bit flips', bytes: flipBits(bytes, flips, random.fork(name)) };
      }
    }
    for (const length of cutLengths(bytes.length)) {
      yield { name: `${format}, cut at ${length}`, family: 'truncation', bytes: bytes.subarray(0, length) };
    }
  }
  for (const [name, bytes] of structuredFiles(Object.fromEntries(formats), canaryPath)) {
    yield { name, family: 'structured', bytes };
  }
}

function flipBits(bytes: Buffer, flips: number, random: Random): Buffer {
  const flipped = Buffer.from(bytes);
  for (let flip = 0; flip < flips; flip += 1) {
    const at = random.integer(0, flipped.length - 1);
    flipped[at] = flipped[at]! ^ (1 << random.integer(0, 7));
  }
  return flipped;
}

/** Dense where headers are, then evenly through the rest. */
function cutLengths(total: number): number[] {
  const dense = Array.from({ length: CUTS_PER_FORMAT / 2 }, (_, index) => Math.round((index * 64) / 29));
  const even = Array.from({ length: CUTS_PER_FORMAT / 2 }, (_, index) =>
    Math.round((total * (index + 1)) / 31),
  );
  return [...dense, ...even];
}
