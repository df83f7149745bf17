import { type Result, shownChords } from '../result.ts';

export type SheetChord = {
  label: string;
  roman: string | null;
  startSeconds: number;
  endSeconds: number;
};
export type SheetBar = { number: number; startSeconds: number; endSeconds: number; chords: SheetChord[] };
/** Without a name where no section was heard. */
export type SheetPart = { name: string | null; bars: SheetBar[] };

/**
 * Bars in parts, as on a lead sheet. A bar belongs to the section that holds its middle, since a boundary may lie a
 * fraction before its first beat; a chord is written where it begins, and in the first bar of a part even if it began
 * before.
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
    const repeatFirst = part.bars.length === 0;
    part.bars.push({ ...bar, chords: chordsIn(bar, chords, { repeatFirst }) });
  }
  return parts;
}

function barsOf(result: Result): Omit<SheetBar, 'chords'>[] {
  const beats = result.rhythm?.beats ?? [];
  // By the number of the bar: an upbeat has no first beat.
  const firsts = beats.filter(({ bar }, index) => bar !== beats[index - 1]?.bar);
  return firsts.map((beat, index) => ({
    number: beat.bar + 1,
    startSeconds: beat.time_seconds,
    endSeconds: firsts[index + 1]?.time_seconds ?? result.duration_seconds,
  }));
}

/** Nearer to the bar line than this, a chord belongs to the bar that begins: less than a beat of any song. Chosen. */
const EARLY_SECONDS = 0.12;

function chordsIn(
  bar: Omit<SheetBar, 'chords'>,
  chords: ReturnType<typeof shownChords>,
  { repeatFirst }: { repeatFirst: boolean },
): SheetChord[] {
  return chords
    .filter(({ start_seconds, end_seconds }) => {
      const begins =
        start_seconds >= bar.startSeconds - EARLY_SECONDS && start_seconds < bar.endSeconds - EARLY_SECONDS;
      const holds = start_seconds < bar.startSeconds && end_seconds > bar.startSeconds + EARLY_SECONDS;
      return begins || (repeatFirst && holds);
    })
    .map(({ label, roman, start_seconds, end_seconds }) => ({
      label,
      roman,
      startSeconds: start_seconds,
      endSeconds: end_seconds,
    }));
}
