import type { Result } from '../result.ts';
import type { Colours } from './drawing.ts';

/**
 * Returns a function that gives the colour of the waveform between two times: a mix of one colour each for the lows, mids and highs,
 * weighted by their levels, so that a kick, a voice and a cymbal can be told apart by eye. Results of earlier versions have no bands and
 * get one plain colour.
 */
export function waveformColours(
  result: Result,
  colours: Pick<Colours, 'low' | 'mid' | 'high' | 'soft'>,
): (fromSeconds: number, toSeconds: number) => string {
  const bands = result.waveform?.bands;
  if (!bands || bands.low.length === 0) return () => colours.soft;
  const sums = sumsOf(bands);
  const parts = [colours.low, colours.mid, colours.high].map(readColour);
  const columnCount = bands.low.length;
  const columnAt = (seconds: number) =>
    Math.min(columnCount - 1, Math.max(0, Math.floor(seconds / bands.hop_seconds)));
  return (fromSeconds, toSeconds) => {
    const first = columnAt(fromSeconds);
    const end = columnAt(toSeconds) + 1;
    const [low, mid, high] = sums.map((sum) => sum[end]! - sum[first]!);
    return mix(parts, [low!, mid!, high!], colours.soft);
  };
}

type Bands = NonNullable<NonNullable<Result['waveform']>['bands']>;
const sumsByBands = new WeakMap<Bands, Float64Array[]>();

/**
 * The running sum of each band's levels, cached because every pixel of every frame reads it while zooming. Levels are cubed so that the
 * loudest band dominates; in proportion, most music would be a grey mix of all three.
 */
function sumsOf(bands: Bands): Float64Array[] {
  let sums = sumsByBands.get(bands);
  if (!sums) {
    sums = [bands.low, bands.mid, bands.high].map((levels) => {
      const sum = new Float64Array(levels.length + 1);
      for (const [column, level] of levels.entries()) sum[column + 1] = sum[column]! + level ** 3;
      return sum;
    });
    sumsByBands.set(bands, sums);
  }
  return sums;
}

type Rgb = [number, number, number];

/** Of 255: too small to see, and coarse enough that most colours are already in the cache of their CSS text. */
const SHADE_STEP = 4;
const shades = new Map<number, string>();

function mix(parts: readonly Rgb[], weights: readonly number[], silent: string): string {
  const [low = 0, mid = 0, high = 0] = weights;
  const sum = low + mid + high;
  if (sum === 0) return silent;
  const channel = (index: 0 | 1 | 2) =>
    Math.min(
      255,
      SHADE_STEP *
        Math.round(
          (parts[0]![index] * low + parts[1]![index] * mid + parts[2]![index] * high) / (SHADE_STEP * sum),
        ),
    );
  const [red, green, blue] = [channel(0), channel(1), channel(2)];
  const code = (red << 16) | (green << 8) | blue;
  let shade = shades.get(code);
  if (shade === undefined) {
    shade = `rgb(${red} ${green} ${blue})`;
    shades.set(code, shade);
  }
  return shade;
}

/** Reads `#rrggbb` or `rgb(…)`, the form of computed styles. */
function readColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex) return hex.slice(1).map((pair) => Number.parseInt(pair, 16)) as Rgb;
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}
