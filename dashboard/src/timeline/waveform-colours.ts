import type { Result } from '../result.ts';
import type { Colours } from './lanes.ts';

/**
 * The colour of the waveform at a time: lows, mids and highs each have one, and what is heard is mixed from them. A kick, a voice and a
 * cymbal can be told apart before they are played. Results of earlier versions have no bands and stay plain.
 */
export function waveformColours(
  result: Result,
  colours: Pick<Colours, 'low' | 'mid' | 'high' | 'soft'>,
): (seconds: number) => string {
  const bands = result.waveform?.bands;
  if (!bands || bands.low.length === 0) return () => colours.soft;
  const mixed = mixBands(bands, colours);
  const last = mixed.length - 1;
  return (seconds) => mixed[Math.min(last, Math.max(0, Math.floor(seconds / bands.hop_seconds)))]!;
}

type Bands = NonNullable<NonNullable<Result['waveform']>['bands']>;
const made = new WeakMap<Bands, { of: string; mixed: string[] }>();

/** Made once for a song and a theme: zooming asks for every pixel of every frame. */
function mixBands(bands: Bands, colours: Pick<Colours, 'low' | 'mid' | 'high' | 'soft'>): string[] {
  const of = [colours.low, colours.mid, colours.high].join();
  const known = made.get(bands);
  if (known?.of === of) return known.mixed;
  const parts = [colours.low, colours.mid, colours.high].map(readColour);
  const mixed = bands.low.map((low, column) =>
    mix(parts, [low, bands.mid[column] ?? 0, bands.high[column] ?? 0], colours.soft),
  );
  made.set(bands, { of, mixed });
  return mixed;
}

type Rgb = [number, number, number];

/** The louder band has more than its share, or everything would be the grey of all three. */
function mix(parts: readonly Rgb[], levels: readonly number[], silent: string): string {
  const weights = levels.map((level) => level ** 3);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return silent;
  const channel = (index: 0 | 1 | 2) =>
    Math.round(parts.reduce((total, part, band) => total + part[index] * weights[band]!, 0) / sum);
  return `rgb(${channel(0)} ${channel(1)} ${channel(2)})`;
}

/** `#rrggbb`, or what a browser makes of a colour: `rgb(…)`. */
function readColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex) return hex.slice(1).map((pair) => Number.parseInt(pair, 16)) as Rgb;
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}
