import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packSupplement, unpackSupplement } from './supplement-bytes.ts';

const heatmap = (rowCount: number, columnCount: number) => ({
  rowCount,
  columnCount,
  secondsPerColumn: 0.25,
  values: Uint8Array.from({ length: rowCount * columnCount }, (_, index) => (index * 37) % 256),
});

const sounds = (segmentCount: number) => ({
  segmentCount,
  pitches: Uint8Array.from({ length: 12 * segmentCount }, (_, index) => (index * 41) % 256),
  timbre: Int16Array.from({ length: 12 * segmentCount }, (_, index) => ((index * 7919) % 65_536) - 32_768),
});

/** toEqual distinguishes a Buffer from a Uint8Array with the same bytes. */
function plain<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_, member) => (member?.type === 'Buffer' ? Uint8Array.from(member.data) : member)),
  );
}

describe('the supplement of an analysis', () => {
  it.each([
    ['a song', heatmap(80, 1200), heatmap(12, 1200), sounds(900)],
    // An odd number of bytes precedes the 16-bit numbers.
    ['one column', heatmap(3, 1), heatmap(2, 1), sounds(1)],
    ['groups that were not requested', heatmap(3, 2), heatmap(2, 2), null],
    ['nothing', heatmap(0, 0), heatmap(0, 0), sounds(0)],
  ])('of %s is restored', (_, spectrogram, chromagram, segmentSounds) => {
    const supplement = { visuals: { spectrogram, chromagram }, segmentSounds };
    expect(plain(unpackSupplement(packSupplement(supplement)))).toEqual(plain(supplement));
  });

  it('of a row older than the segments has its pictures and no segments', () => {
    // As written by the first release: length, sizes, pixels.
    const header = Buffer.from(
      '[{"rowCount":2,"columnCount":2,"secondsPerColumn":0.5},{"rowCount":1,"columnCount":2,"secondsPerColumn":0.5}]',
    );
    const length = Buffer.from([header.length, 0, 0, 0]);
    const row = deflateSync(Buffer.concat([length, header, Buffer.from([1, 2, 3, 4, 5, 6])]));
    const { visuals, segmentSounds } = unpackSupplement(row);
    expect([...visuals.spectrogram.values]).toEqual([1, 2, 3, 4]);
    expect([...visuals.chromagram.values]).toEqual([5, 6]);
    expect(segmentSounds).toBeNull();
  });

  it('of a row with a segment has its pitches and its timbre', () => {
    const empty = '{"rowCount":0,"columnCount":0,"secondsPerColumn":0}';
    const header = Buffer.from(`[${empty},${empty},{"segmentCount":1}]`);
    const length = Buffer.from([header.length, 0, 0, 0]);
    const pitches = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255];
    // Little-endian: 1, 256, -1, and nine zeros.
    const timbre = [1, 0, 0, 1, 255, 255, ...Array.from({ length: 18 }, () => 0)];
    const row = deflateSync(Buffer.concat([length, header, Buffer.from([...pitches, ...timbre])]));
    const { segmentSounds } = unpackSupplement(row);
    expect([...segmentSounds!.pitches]).toEqual(pitches);
    expect([...segmentSounds!.timbre]).toEqual([1, 256, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
