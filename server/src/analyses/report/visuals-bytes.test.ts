import { describe, expect, it } from 'vitest';
import { packVisuals, unpackVisuals } from './visuals-bytes.ts';

const heatmap = (rowCount: number, columnCount: number) => ({
  rowCount,
  columnCount,
  secondsPerColumn: 0.25,
  values: Uint8Array.from({ length: rowCount * columnCount }, (_, index) => (index * 37) % 256),
});

describe('the pictures of an analysis', () => {
  it.each([
    ['a song', heatmap(80, 1200), heatmap(12, 1200)],
    ['one column', heatmap(3, 1), heatmap(2, 1)],
    ['nothing', heatmap(0, 0), heatmap(0, 0)],
  ])('of %s come back as they were', (_, spectrogram, chromagram) => {
    const unpacked = unpackVisuals(packVisuals({ spectrogram, chromagram }));
    for (const [name, picture] of Object.entries({ spectrogram, chromagram })) {
      const { values, ...size } = unpacked[name as keyof typeof unpacked];
      expect({ ...size, values: Uint8Array.from(values) }).toEqual(picture);
    }
  });
});
