/** Builds MP4 files with one track of 8-bit samples: the audio byte `n` is the sample n / 128 (ISO/IEC 14496-12). */

export const AUDIO_TRACK_ID = 2;

const text = (value: string): number[] => [...value].map((character) => character.charCodeAt(0));
export const u32 = (...values: number[]): number[] =>
  values.flatMap((value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);

export function box(type: string, ...parts: number[][]): number[] {
  const body = parts.flat();
  return [...u32(8 + body.length), ...text(type), ...body];
}

/** `codec` is a QuickTime format; `sowt` takes its sample width from the description. */
export function soundTrack(
  { sizes, chunkRuns, chunkOffsets }: { sizes: number[]; chunkRuns: number[]; chunkOffsets: number[] },
  codec = 'sowt',
): number[] {
  const channelsAndBits = [0, 1, 0, 8];
  const rate8000 = [0x1f, 0x40, 0, 0];
  const entry = box(codec, [...u32(0), 0, 0, 0, 1], u32(0, 0), [...channelsAndBits, ...u32(0), ...rate8000]);
  const stbl = box(
    'stbl',
    box('stsd', u32(0, 1), entry),
    box('stsz', u32(0), sizes),
    box('stsc', u32(0), chunkRuns),
    box('stco', u32(0), chunkOffsets),
  );
  return box(
    'trak',
    box('tkhd', u32(0, 0, 0, AUDIO_TRACK_ID)),
    box('mdia', box('hdlr', u32(0, 0), text('soun')), box('minf', stbl)),
  );
}

/** The first box of every file. */
export const FILE_TYPE = box('ftyp', text('isom'), u32(0));
