/** What a lead sheet is written from: bars of beats, a chord on each beat, sections above them. */

import { BEAT_TOLERANCE_SECONDS } from './beat-grid.ts';
import { chartChords } from './chart-spelling.ts';
import type { ExportSource } from './export-source.ts';

export type SheetBar = {
  startSeconds: number;
  middleSeconds: number;
  /** Of the chord that sounds on each beat; null where nothing was heard. */
  chords: (string | null)[];
  /** The section that begins here; null inside of one. */
  section: string | null;
  /** True for beats before the first downbeat. */
  pickup: boolean;
};

/** Empty when no beat was found. */
export function readSheet({ document }: ExportSource): SheetBar[] {
  const chords = chartChords(document);
  const bars: { times: number[]; chords: (string | null)[]; pickup: boolean }[] = [];
  let current: number | null = null;
  for (const beat of document.rhythm?.beats ?? []) {
    if (beat.bar !== current) {
      bars.push({ times: [], chords: [], pickup: current === null && beat.beat_in_bar !== 1 });
      current = beat.bar;
    }
    const chord = chords.findLast((one) => one.start_seconds <= beat.time_seconds + BEAT_TOLERANCE_SECONDS);
    const bar = bars.at(-1)!;
    bar.times.push(beat.time_seconds);
    bar.chords.push(chord === undefined || chord.label === 'N' || chord.label === 'X' ? null : chord.label);
  }
  const sections = document.structure?.sections ?? [];
  let shown = -1;
  return bars.map(({ times, ...bar }) => {
    const middleSeconds = (times[0]! + times.at(-1)!) / 2;
    // The middle decides: a boundary lies on a downbeat but for some hundredths of a second.
    const index = sections.findLastIndex((section) => section.start_seconds <= middleSeconds);
    const section = index > shown ? sections[index]!.label : null;
    shown = Math.max(shown, index);
    return { ...bar, startSeconds: times[0]!, middleSeconds, section };
  });
}
