import { formatClock } from '../format.ts';
import type { Result } from '../result.ts';

const LOSSY_CODECS = /mp3|mpeg|aac|ac-?3|dts|vorbis|opus|wma|adpcm/i;

/**
 * Whether a file without loss was made from one with: null when it cannot be said, and for files that are lossy themselves, in which
 * the traces of an encoder are no finding.
 */
export function lossyOrigin({ quality, file }: Pick<Result, 'quality' | 'file'>): string | null {
  if (!quality || file?.codec == null || LOSSY_CODECS.test(file.codec)) return null;
  const { verdict } = quality.lossy_transcode;
  return verdict === 'unknown' ? null : verdict;
}

type QualityEvent = NonNullable<Result['quality']>['events'][number];

/** What a person tells apart: events of one kind in one second are one place to listen to, in however many channels. */
export function groupEvents(events: readonly QualityEvent[]): { words: string; startSeconds: number }[] {
  const groups = new Map<string, QualityEvent[]>();
  for (const event of events) {
    const words = `${event.kind} at ${formatClock(event.start_seconds)}`;
    groups.set(words, [...(groups.get(words) ?? []), event]);
  }
  return [...groups].map(([words, group]) => ({
    words: group.length === 1 ? words : `${group.length} × ${words}`,
    startSeconds: group[0]!.start_seconds,
  }));
}

/** What a service does to the level of a song. */
export function sayGain(platform: string, gainDb: number, limited: boolean): string {
  if (!limited) {
    // Less is shown as nothing.
    if (Math.abs(gainDb) < 0.05) return 'left as it is';
    return gainDb < 0 ? 'turned down' : 'turned up';
  }
  // Every other service turns up as far as the true peak leaves room.
  return platform === 'youtube' ? 'never turned up' : 'held by the peak';
}
