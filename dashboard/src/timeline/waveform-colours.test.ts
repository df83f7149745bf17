import { describe, expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { waveformColours } from './waveform-colours.ts';

const COLOURS = { low: '#ff0000', mid: 'rgb(0, 255, 0)', high: '#0000ff', soft: '#888888' };
const song = (bands: object | null) => ({ waveform: { levels: [], bands } }) as unknown as Result;

describe('the colour of a waveform', () => {
  it('is that of the only band that sounds, at its time', () => {
    const colourAt = waveformColours(
      song({ hop_seconds: 0.5, low: [255, 0, 0, 0], mid: [0, 200, 0, 0], high: [0, 0, 90, 0] }),
      COLOURS,
    );
    expect([0, 0.6, 1.1, 1.7].map((seconds) => colourAt(seconds, seconds))).toEqual([
      'rgb(255 0 0)',
      'rgb(0 255 0)',
      'rgb(0 0 255)',
      '#888888',
    ]);
    expect([colourAt(-1, -1), colourAt(99, 99)]).toEqual(['rgb(255 0 0)', '#888888']);
  });

  it('is mixed from all bands by the cube of their levels', () => {
    const colourAt = waveformColours(song({ hop_seconds: 1, low: [200], mid: [100], high: [0] }), COLOURS);
    // 200³ : 100³ is 8 : 1; 255 × 8/9 = 227 and 255 / 9 = 28, in steps of 4.
    expect(colourAt(0, 0)).toBe('rgb(228 28 0)');
  });

  it('is the mix of all columns between the two times', () => {
    const colourAt = waveformColours(
      song({ hop_seconds: 0.5, low: [100, 0, 0], mid: [0, 100, 0], high: [0, 0, 100] }),
      COLOURS,
    );
    expect(colourAt(0, 0.9)).toBe('rgb(128 128 0)');
  });

  it('is plain without bands', () => {
    expect(waveformColours(song(null), COLOURS)(3, 4)).toBe('#888888');
  });
});
