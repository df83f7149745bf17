import type { Result } from '../result.ts';
import type { Colours } from './drawing.ts';

/**
 * The colour of the waveform over a while: lows, mids and highs each have one, and what is heard is mixed from them. A kick, a voice and
 * a cymbal can be told apart before they are played; from further off, one sees what sounds in the mean. Results of earlier versions have
 * no bands and stay plain.
 */
export function waveformColours(
  result: Result,
  colours: Pick<Colours, 'low' | 'mid' | 'high' | 'soft'>,
): (fromSeconds: number, toSeconds: number) => string {
  const bands = result.waveform?.bands;
  if (!bands || bands.low.length === 0) return () => colours.soft;
  const sums = sumsOf(bands);
  const parts = [colours.low, colours.mid, colours.high].map(readColour);
  const count = bands.low.length;
  const columnAt = (seconds: number) =>
    Math.min(count - 1, Math.max(0, Math.floor(seconds / bands.hop_seconds)));
  return (fromSeconds, toSeconds) => {
    const first = columnAt(fromSeconds);
    const end = Math.max(first, columnAt(toSeconds)) + 1;
    const [low, mid, high] = sums.map((sum) => sum[end]! - sum[first]!);
    return mix(parts, [low!, mid!, high!], colours.soft);
  };
}

type Bands = NonNullable<NonNullable<Result['waveform']>['bands']>;
const made = new WeakMap<Bands, Float64Array[]>();

/**
 * What each band adds up to before every column, made once for a song: zooming asks for every pixel of every frame. Levels are cubed, so
 * that the loudest band has more than its share, or everything would be the grey of all three.
 */
function sumsOf(bands: Bands): Float64Array[] {
  let sums = made.get(bands);
  if (!sums) {
    sums = [bands.low, bands.mid, bands.high].map((levels) => {
      const sum = new Float64Array(levels.length + 1);
      for (const [column, level] of levels.entries()) sum[column + 1] = sum[column]! + level ** 3;
      return sum;
    });
    made.set(bands, sums);
  }
  return sums;
}

type Rgb = [number, number, number];

/** Of 255: a finer step nobody sees, and a colour that was seen before needs no new text. Chosen. */
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

/** `#rrggbb`, or what a browser makes of a colour: `rgb(…)`. */
function readColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex) return hex.slice(1).map((pair) => Number.parseInt(pair, 16)) as Rgb;
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}
