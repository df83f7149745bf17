import { formatClock } from '../format.ts';
import type { Result } from '../result.ts';

/** By the names that the decoder gives. */
const LOSSY_CODECS = new Set([
  ...['MP1', 'MP2', 'MP3', 'AAC', 'AC-3', 'DTS', 'WMA', 'Vorbis', 'Opus'],
  ...['MS ADPCM', 'IMA ADPCM', 'A-law', 'mu-law'],
]);

/** Whether a lossless file was made from a lossy one; null when that is unknown, and for lossy files, in which encoder traces are normal. */
export function lossyOrigin({ quality, file }: Pick<Result, 'quality' | 'file'>): string | null {
  if (!quality || file?.codec == null || LOSSY_CODECS.has(file.codec)) return null;
  const { verdict } = quality.lossy_transcode;
  return verdict === 'unknown' ? null : verdict;
}

type QualityEvent = NonNullable<Result['quality']>['events'][number];

/** Merges events of one kind with the same displayed time, over all channels, into one place to listen to. */
export function groupEvents(events: readonly QualityEvent[]): { label: string; startSeconds: number }[] {
  const groups = new Map<string, QualityEvent[]>();
  for (const event of events) {
    const label = `${event.kind} at ${formatClock(event.start_seconds)}`;
    groups.set(label, [...(groups.get(label) ?? []), event]);
  }
  return [...groups].map(([label, group]) => ({
    label: group.length === 1 ? label : `${group.length} × ${label}`,
    startSeconds: group[0]!.start_seconds,
  }));
}

/** A smaller gain is displayed as ±0.0 dB. */
const SHOWN_GAIN_DB_MIN = 0.05;

/** What a platform does to the level of a song. `limited`: less gain than its target asks for. */
export function describeGain(platform: string, gainDb: number, limited: boolean): string {
  if (!limited) {
    if (Math.abs(gainDb) < SHOWN_GAIN_DB_MIN) return 'left as it is';
    return gainDb < 0 ? 'turned down' : 'turned up';
  }
  // YouTube never raises the level; the other platforms raise it as far as the true peak allows.
  return platform === 'youtube' ? 'never turned up' : 'held by the peak';
}
