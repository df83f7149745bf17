import { type Result, shownChords } from '../result.ts';

export type SheetChord = {
  label: string;
  roman: string | null;
  startSeconds: number;
  endSeconds: number;
  beat: number;
};
export type SheetBar = { number: number; startSeconds: number; endSeconds: number; chords: SheetChord[] };
export type SheetPart = { name: string; bars: SheetBar[] };

/**
 * Bars in parts, as on a lead sheet. A bar belongs to the section that holds its middle, since a boundary may lie a
 * fraction before its first beat; a chord is written where it begins, and in the first bar of a part even if it began
 * before.
 */
export function writeLeadSheet(result: Result): SheetPart[] {
  const bars = barsOf(result);
  const chords = shownChords(result);
  const sections = result.structure?.sections ?? [];
  const beatsPerBar = result.time_signature ?? 4;
  const parts: SheetPart[] = [];
  let open: number | null = null;
  for (const bar of bars) {
    const middle = (bar.startSeconds + bar.endSeconds) / 2;
    const section = sections.findIndex(
      ({ start_seconds, end_seconds }) => middle >= start_seconds && middle < end_seconds,
    );
    if (open !== section || parts.length === 0) {
      parts.push({ name: sections[section]?.label ?? '', bars: [] });
      open = section;
    }
    const part = parts.at(-1)!;
    const repeatFirst = part.bars.length === 0;
    part.bars.push({ ...bar, chords: chordsIn(bar, { chords, beatsPerBar, repeatFirst }) });
  }
  return parts;
}

function barsOf(result: Result): Omit<SheetBar, 'chords'>[] {
  const beats = result.rhythm?.beats ?? [];
  const firsts = beats.filter(({ beat_in_bar }) => beat_in_bar === 1);
  return firsts.map((beat, index) => ({
    number: beat.bar + 1,
    startSeconds: beat.time_seconds,
    endSeconds: firsts[index + 1]?.time_seconds ?? result.duration_seconds,
  }));
}

/** Nearer to the bar line than this, a chord belongs to the bar that begins. */
const EARLY_SECONDS = 0.12;

function chordsIn(
  bar: Omit<SheetBar, 'chords'>,
  song: { chords: ReturnType<typeof shownChords>; beatsPerBar: number; repeatFirst: boolean },
): SheetChord[] {
  const { chords, beatsPerBar, repeatFirst } = song;
  const beatSeconds = (bar.endSeconds - bar.startSeconds) / beatsPerBar;
  return chords.flatMap((chord) => {
    const begins =
      chord.start_seconds >= bar.startSeconds - EARLY_SECONDS &&
      chord.start_seconds < bar.endSeconds - EARLY_SECONDS;
    const holds =
      chord.start_seconds < bar.startSeconds && chord.end_seconds > bar.startSeconds + EARLY_SECONDS;
    if (!begins && !(repeatFirst && holds)) return [];
    const beat = begins ? Math.max(0, Math.round((chord.start_seconds - bar.startSeconds) / beatSeconds)) : 0;
    return [
      {
        label: chord.label,
        roman: chord.roman,
        startSeconds: chord.start_seconds,
        endSeconds: chord.end_seconds,
        beat,
      },
    ];
  });
}
