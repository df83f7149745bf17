import { type Result, shownChords } from '../result.ts';

export type SheetChord = {
  label: string;
  roman: string | null;
  startSeconds: number;
  endSeconds: number;
};
export type SheetBar = { number: number; startSeconds: number; endSeconds: number; chords: SheetChord[] };
/** `name` is null where no section was detected. */
export type SheetPart = { name: string | null; bars: SheetBar[] };

/**
 * Groups the bars by section, as on a lead sheet. A bar belongs to the section that contains its middle, since a boundary may be
 * slightly off its first beat. A chord is written where it begins, and again in the first bar of a part that it extends into.
 */
export function writeLeadSheet(result: Result): SheetPart[] {
  const bars = barsOf(result);
  const chords = shownChords(result);
  const sections = result.structure?.sections ?? [];
  const parts: SheetPart[] = [];
  let open: (typeof sections)[number] | undefined;
  for (const bar of bars) {
    const middleSeconds = (bar.startSeconds + bar.endSeconds) / 2;
    const section = sections.find(
      ({ start_seconds, end_seconds }) => middleSeconds >= start_seconds && middleSeconds < end_seconds,
    );
    if (open !== section || parts.length === 0) {
      parts.push({ name: section?.label ?? null, bars: [] });
      open = section;
    }
    const part = parts.at(-1)!;
    const includeHeld = part.bars.length === 0;
    part.bars.push({ ...bar, chords: chordsIn(bar, chords, { includeHeld }) });
  }
  return parts;
}

function barsOf(result: Result): Omit<SheetBar, 'chords'>[] {
  const beats = result.rhythm?.beats ?? [];
  // Where the bar number changes, not where `beat_in_bar` is 1: an upbeat has no first beat.
  const firsts = beats.filter(({ bar }, index) => bar !== beats[index - 1]?.bar);
  return firsts.map((beat, index) => ({
    number: beat.bar + 1,
    startSeconds: beat.time_seconds,
    endSeconds: firsts[index + 1]?.time_seconds ?? result.duration_seconds,
  }));
}

/** A chord that begins this little before a bar line belongs to the next bar: detection is this inexact, and no beat is this short. */
const CHORD_EARLY_SECONDS = 0.12;

function chordsIn(
  bar: Omit<SheetBar, 'chords'>,
  chords: ReturnType<typeof shownChords>,
  { includeHeld }: { includeHeld: boolean },
): SheetChord[] {
  return chords
    .filter(({ start_seconds, end_seconds }) => {
      const begins =
        start_seconds >= bar.startSeconds - CHORD_EARLY_SECONDS &&
        start_seconds < bar.endSeconds - CHORD_EARLY_SECONDS;
      const holds = start_seconds < bar.startSeconds && end_seconds > bar.startSeconds + CHORD_EARLY_SECONDS;
      return begins || (includeHeld && holds);
    })
    .map(({ label, roman, start_seconds, end_seconds }) => ({
      label,
      roman,
      startSeconds: start_seconds,
      endSeconds: end_seconds,
    }));
}
