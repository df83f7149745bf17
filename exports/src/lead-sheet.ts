/** The content of a lead sheet: bars with the chord on each beat, and the sections that begin with them. */

import { BEAT_TOLERANCE_SECONDS } from './beat-grid.ts';
import { chartChords } from './chart-spelling.ts';
import type { ExportSource } from './export-source.ts';

export type SheetBar = {
  /** The label of the chord on each beat; null if there is none. */
  chords: (string | null)[];
  /** The section that begins with this bar; null if none does. */
  section: string | null;
  /** True for beats before the first downbeat. */
  isPickup: boolean;
};

/** Empty if there are no beats. */
export function readSheet({ document }: ExportSource): SheetBar[] {
  const chords = chartChords(document);
  const bars: { timesSeconds: number[]; chords: (string | null)[]; isPickup: boolean }[] = [];
  let currentBar: number | null = null;
  for (const beat of document.rhythm?.beats ?? []) {
    if (beat.bar !== currentBar) {
      bars.push({ timesSeconds: [], chords: [], isPickup: currentBar === null && beat.beat_in_bar !== 1 });
      currentBar = beat.bar;
    }
    const chord = chords.findLast((one) => one.start_seconds <= beat.time_seconds + BEAT_TOLERANCE_SECONDS);
    const bar = bars.at(-1)!;
    bar.timesSeconds.push(beat.time_seconds);
    bar.chords.push(chord === undefined || chord.label === 'N' || chord.label === 'X' ? null : chord.label);
  }
  const sections = document.structure?.sections ?? [];
  let shown = -1;
  return bars.map(({ timesSeconds, ...bar }) => {
    const middleSeconds = (timesSeconds[0]! + timesSeconds.at(-1)!) / 2;
    // Compared with the middle of the bar, because a boundary may be slightly before or after its downbeat.
    const index = sections.findLastIndex((section) => section.start_seconds <= middleSeconds);
    const section = index > shown ? sections[index]!.label : null;
    shown = Math.max(shown, index);
    return { ...bar, section };
  });
}
