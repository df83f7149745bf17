import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../random.ts';
import { REPOSITORY } from '../repository.ts';
import { makeTone } from '../tone.ts';
import { aiffOf } from './riff-files.ts';
import { structuredFiles } from './structured-files.ts';

/** A corrupt or hostile file, or one whose headers are false. */
export type CorpusFile = { name: string; family: 'bit flips' | 'truncation' | 'structured'; bytes: Buffer };

/** From single errors to damage in every frame of a file. */
const FLIPPED_BITS = [1, 8, 64, 512];
const FILES_PER_BIT_COUNT = 50;
/** Of the first bytes, which hold headers in every format, and as many of the whole file. */
const CUTS_EACH = 30;
const HEADER_BYTES = 64;

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

/** Generates one file at a time; the same files for the same seed. */
export async function* generateCorpus(random: Random, canaryPath: string): AsyncGenerator<CorpusFile> {
  const formats = Object.entries(await readFormats());
  for (const [format, bytes] of formats) {
    for (const bitCount of FLIPPED_BITS) {
      for (let nth = 0; nth < FILES_PER_BIT_COUNT; nth += 1) {
        const name = `${format}, ${bitCount} bits flipped, ${nth}`;
        yield { name, family: 'bit flips', bytes: flipBits(bytes, bitCount, random.fork(name)) };
      }
    }
    for (const keptBytes of cutsOf(bytes.length)) {
      const name = `${format}, cut at ${keptBytes}`;
      yield { name, family: 'truncation', bytes: bytes.subarray(0, keptBytes) };
    }
  }
  for (const [name, bytes] of structuredFiles(Object.fromEntries(formats), canaryPath)) {
    yield { name, family: 'structured', bytes };
  }
}

function flipBits(bytes: Buffer, bitCount: number, random: Random): Buffer {
  const flipped = Buffer.from(bytes);
  for (let flip = 0; flip < bitCount; flip += 1) {
    const at = random.integer(0, flipped.length - 1);
    flipped[at] = flipped[at]! ^ (1 << random.integer(0, 7));
  }
  return flipped;
}

function cutsOf(totalBytes: number): number[] {
  const inHeaders = Array.from({ length: CUTS_EACH }, (_, index) =>
    Math.round((index * HEADER_BYTES) / (CUTS_EACH - 1)),
  );
  const throughout = Array.from({ length: CUTS_EACH }, (_, index) =>
    Math.round((totalBytes * (index + 1)) / (CUTS_EACH + 1)),
  );
  return [...inHeaders, ...throughout];
}
